import { type Command, Option } from "commander";
import { GATES, METHODS } from "../analysis/compare/comparison.ts";
import { examples } from "./examples.ts";
import {
  amount,
  anyNumber,
  collectWords,
  commaWords,
  effectSize,
  fraction,
  json,
  outRoot,
  sizeList,
  wholeNumber,
  withGoal,
  wordsOf,
} from "./read-option.ts";

/** What says how sure the results are. */
export function addStatisticsCommands(program: Command): void {
  const compare = program
    .command("compare")
    .description("say which arm is better, by how much and how surely")
    .argument(
      "[what...]",
      "studies, CSV files, result.json files or exports of hyperfine; one study or CSV with --by",
    )
    .option(
      "--metric <name>",
      "a metric, series or column, also as name:minimize or as a sum a+b; may be repeated",
      collectWords,
    )
    .option("--value <name>", "the same as --metric", collectWords)
    .addOption(new Option("--goal <goal>", "which way is better").choices(["minimize", "maximize"]))
    .option("--by <names>", "parameters or columns whose values are the arms", commaWords)
    .option("--arm <names>", "the same as --by", commaWords)
    .option("--baseline <arm>", "the arm that the others are compared with")
    .option("--per <name>", "compare separately for each of its values; name~regex takes part of a text")
    .option(
      "--pair <names>",
      "what pairs the arms (default: seed, task, and whatever else varies)",
      commaWords,
    )
    .option("--task <column>", "the column of tasks; several rows of one task are rollouts")
    .option("--matrix", "the CSV's rows are arms, its columns tasks")
    .option("--unpaired", "compare as independent groups")
    .option("--where <expr>", "only the runs or rows for which this condition holds")
    .option("--pairs <json...>", "pairs of runs: a JSON file, or the JSON itself")
    .option("--control-run-ids <ids...>", "runs to compare, one by one")
    .option("--candidate-run-ids <ids...>", "and what they are compared with")
    .addOption(
      new Option("--summary <kind>", "how to turn a series into one number").choices(
        "auc last_n final mean max slope".split(" "),
      ),
    )
    .addOption(
      new Option("--side <side>", "greater: the candidate's values are greater")
        .choices(["two-sided", "greater", "less"])
        .default("two-sided"),
    )
    .option("--alpha <p>", "chance of a false claim", fraction("--alpha"), 0.05)
    .addOption(new Option("--method <name>", "how to compare").choices(["auto", ...METHODS]).default("auto"))
    .addOption(
      new Option("--adjust <how>", "how to adjust for many comparisons: see docs/compare.md")
        .choices(["holm", "simultaneous", "bh"])
        .default("holm"),
    )
    .option(
      "--covariate <what>",
      "what was known before the run: baseline, a CSV file (file.csv:column) of tasks, or a column",
    )
    .option("--effects", "add Hedges' g, P(X > Y) and the mean of the middle half")
    .addOption(
      new Option("--scale <scale>", "differences of means, or ratios of geometric means").choices([
        "auto",
        "difference",
        "ratio",
      ]),
    )
    .option("--samples <column>", "CSV column with the number of samples; the metric counts passes")
    .option("--resamples <n>", "for bootstrap and permutation", wholeNumber("--resamples"), 10_000)
    .option("--seed <n>", "seed of the resampling; or a CSV's column of seeds")
    .option("--margin <size>", "the smallest difference that matters: 5, or 5%")
    .option(
      "--fail-on <what>",
      `a gate for CI, which exits 1: one or more of ${GATES.join(",")}`,
      wordsOf("--fail-on", GATES),
    )
    .option("--allow-unjudged", "let the gate pass a comparison without an answer")
    .option("--csv <file>", "write the numbers to a file, too")
    .option("--html <file>", "write a page with charts, too")
    .addOption(new Option("--format <kind>", "how to print it").choices(["text", "md", "json"]))
    .addOption(outRoot())
    .addOption(json())
    .addHelpText("after", examples("compare"))
    .action(async (names, { value, arm, ...options }) => {
      const module = await import("./compare.ts");
      await module.compare(names, { ...(value && { metric: value }), ...(arm && { by: arm }), ...options });
    });
  withWindow(compare);

  measuring(
    program
      .command("power")
      .description("say how many seeds or tasks an effect needs, or what a budget can find"),
  )
    .argument("[study...]", "the pilot: a study, or a CSV file")
    .option("--pilot <study>", "same as the argument")
    .option("--baseline <arm>", "the arm that the effect is relative to")
    .option("--candidate <arm>", "the other arm")
    .option("--task <name>", "the parameter or column that names the task")
    .option("--effect <size>", "to be found: 0.5 in the metric's unit, or 5% of the baseline", effectSize)
    .option("--mde", "the smallest effect that each size finds (the default without --effect)")
    .option("--sizes <list>", "sizes for --mde, such as 10,20,50", sizeList)
    .option(
      "--decide <n>",
      "plan a study that decides as it goes, of at most so many seeds or tasks",
      wholeNumber("--decide"),
    )
    .option(
      "--history <file>",
      "with --decide: earlier outcomes on its tasks, as analysis.decide.history has them",
    )
    .option("--budget-usd <usd>", "what this much money finds", amount("--budget-usd"))
    .option("--budget-hours <hours>", "what this much time finds", amount("--budget-hours"))
    .option("--power <share>", "chance to find it", fraction("--power"), 0.8)
    .option("--alpha <p>", "chance of a false claim", fraction("--alpha"), 0.05)
    .addOption(new Option("--side <side>").choices(["two-sided", "one-sided"]).default("two-sided"))
    .option("--covariate <what>", "what will be known before the run: baseline, or a CSV file of tasks")
    .option("--jobs <n>", "runs at the same time, for hours", wholeNumber("--jobs"), 1)
    .addOption(json())
    .optionsGroup("Precision of each arm:")
    .option(
      "--precision <share>",
      "how many seeds give a mean within ± this share of it (of --effect, where that is a number)",
      fraction("--precision"),
    )
    .option("--samples <column>", "CSV column with the number of samples; the metric counts passes")
    .option("--out <file>", "write the plot: .svg or .png")
    .option("--seed <n>", "seed of the resampling", wholeNumber("--seed"), 1)
    .addOption(
      new Option(
        "--legacy-cv",
        "the coefficient of variation of the first n runs, which can't tell",
      ).hideHelp(),
    )
    .addHelpText("after", examples("power"))
    .action(async (names, options) => {
      if (options.precision !== undefined) await (await import("./variance.ts")).precision(names, options);
      else await (await import("./power.ts")).power(names, options);
    });

  measuring(program.command("rank").description("rank the arms, with groups that can't be told apart"))
    .argument("<study...>", "a study, or a CSV file")
    .option("--task <name>", "the parameter or column that names the task")
    .option("--alpha <p>", "chance of one false claim among all pairs", fraction("--alpha"), 0.05)
    .option("--samples <column>", "CSV column with the number of samples; the metric counts passes")
    .option("--resamples <n>", "for the chance of being best", wholeNumber("--resamples"), 10_000)
    .option("--seed <n>", "seed of the resampling", wholeNumber("--seed"), 1)
    .option("--out <file>", "write the arms as a plot: .svg or .png")
    .option("--profile <file>", "write the performance profile: .svg or .png")
    .addOption(json())
    .addHelpText("after", examples("rank"))
    .action(async (names, options) => (await import("./rank.ts")).rank(names, options));

  withGoal(program.command("best"))
    .description("show the best points of a search, and how optimistic they are")
    .argument("<study>", "a search: its name or folder")
    .option(
      "--top <n>",
      "how many points (default: 5; of several objectives the whole front)",
      wholeNumber("--top"),
    )
    .option("--metric <name>", "what is judged, also as name:minimize (default: the search's objectives)")
    .addOption(new Option("--goal <goal>", "which way is better").choices(["minimize", "maximize"]))
    .addOption(outRoot())
    .addOption(json())
    .addHelpText("after", examples("best"))
    .action(async (name, options) => (await import("./best.ts")).best(name, options));

  withGoal(program.command("confirm"))
    .description("measure the best points of a search again, on fresh seeds")
    .argument("<study>", "a search: its name or folder")
    .option("--top <n>", "how many points", wholeNumber("--top"), 3)
    .option("--seeds <n>", "how many fresh seeds", wholeNumber("--seeds"), 10)
    .option(
      "--baseline <point>",
      "what the others are compared with: a point, or default (default: the best)",
    )
    .option("--metric <name>", "what is judged, also as name:minimize (default: the search's objectives)")
    .addOption(new Option("--goal <goal>", "which way is better").choices(["minimize", "maximize"]))
    .option("--jobs <n>", "runs at the same time", wholeNumber("--jobs"))
    .option("-q, --quiet", "no progress")
    .addOption(outRoot())
    .addOption(json())
    .addHelpText("after", examples("confirm"))
    .action(async (name, options) => (await import("./confirm.ts")).confirm(name, options));
}

/** What the statistics commands have in common: which numbers, of which runs, grouped how. */
export function measuring(
  command: Command,
  readMetric?: (text: string, all?: string[]) => string[],
): Command {
  const also = readMetric ? "" : ", also as name:minimize";
  const metric = new Option(
    "--metric <name>",
    `a metric or series${also} (default: the study's analysis.metric)`,
  );
  if (readMetric) metric.argParser(readMetric);
  else withGoal(command);
  command
    .addOption(metric)
    .option(
      "--by <names>",
      "parameters whose values are the arms (default: those that the design names as arms)",
      commaWords,
    )
    .option("--where <expr>", "only the runs for which this condition holds")
    .addOption(new Option("--goal <goal>", "which way is better").choices(["minimize", "maximize"]))
    .addOption(
      new Option("--summary <kind>", "how to turn a series into one number (default: auc)").choices(
        "auc last_n final slope".split(" "),
      ),
    )
    .option("--out-root <folder>", "where studies are kept");
  return withWindow(command);
}

/** Which steps of a series count. */
function withWindow(command: Command): Command {
  return command
    .option("--step-min <step>", "the window's first step", anyNumber("--step-min"))
    .option("--step-max <step>", "the window's last step", anyNumber("--step-max"))
    .option("--share <share>", "the part of these steps that counts (auc: .25)", fraction("--share"))
    .addOption(new Option("--window-end <end>", "which part").choices(["first", "last"]))
    .option("--last-n <n>", "points for last_n (default: 5)", wholeNumber("--last-n"));
}
