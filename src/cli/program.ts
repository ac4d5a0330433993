import { Argument, Command, Option } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { METHODS } from "../analysis/compare/choose-method.ts";
import { UserError } from "../core/errors.ts";

const EXAMPLES = {
  assay: [
    ["assay init", "write a first study, study.yaml"],
    ["assay run study.yaml", "run it; run it again to go on where it stopped"],
    ["assay status my-study", "how far it is, also from another terminal"],
    ['assay query my-study "SELECT policy, avg(cost_mean) FROM runs GROUP BY policy"', "ask in SQL"],
  ],
  run: [
    ["assay run study.yaml --jobs 4", "four runs at a time"],
    ["assay run study.yaml -p workflows=10 --seeds 1,2", "override a parameter and the seeds"],
    ["assay run study.yaml --only \"policy == 'full'\"", "only some of the runs"],
    ["assay run study.yaml --rerun failed", "do failed runs again (the default)"],
  ],
  sim: [
    ["assay sim --workflows 50 --policy full", "print the metrics of one run"],
    ["assay sim --policy full --out /tmp/run", "keep its files, a trace for ui.perfetto.dev too"],
  ],
  query: [
    ['assay query smoke "SELECT run_id, makespan_p95_ms FROM runs ORDER BY 2 LIMIT 5"', "the five shortest"],
    ['assay query smoke "SELECT * FROM series" --json', "all series, for a script"],
  ],
  compare: [
    ["assay compare my-study --by policy --baseline fifo", "cells of one study, paired by seed"],
    ["assay compare before after --metric wall_ms --goal minimize", "two studies"],
    ["assay compare results.csv --by strategy --metric resolved --task instance_id", "any table"],
    ["assay compare before after --margin 5% --fail-on regression", "a gate for CI"],
  ],
  variance: [
    ["assay variance my-study --metric reward --threshold 0.05", "seeds for ± 5 % of the mean, arm by arm"],
    ["assay variance my-study --metric reward --output seeds.png", "the same as a picture"],
    ["assay variance a.jsonl b.jsonl c.jsonl --metric reward --summary last_n", "runs of any program"],
  ],
  power: [
    ["assay power --pilot my-study --metric reward --by policy --effect 5%", "what finding 5 % takes"],
    ["assay power --pilot my-study --metric reward --by policy --mde", "what so many seeds find"],
    ["assay power --pilot my-study --metric reward --by policy --budget-usd 50", "what 50 dollars find"],
  ],
  rank: [
    ["assay rank my-study --metric reward --by policy --goal maximize", "best first, with groups"],
    ["assay rank my-study --metric cost_usd --by policy --output rank.png", "as a picture, too"],
  ],
  plot: [
    ["assay plot my-study --kind curves --metric reward --output curves.png", "learning curves with bands"],
    [
      "assay plot my-study --kind paired --by policy --baseline a --candidate b --output pairs.svg",
      "two arms",
    ],
    ["assay plot my-study --kind radial --metric reward,cost_usd,steps --output radial.png", "three metrics"],
  ],
} as const;

/** The commands, with what loads only when one is called: so that --help stays instant. */
export function createProgram(): Command {
  const program = new Command("assay")
    .description("Runs experiments on agent systems and says what can be believed of the results.")
    .version(packageJson.version)
    .exitOverride()
    .showSuggestionAfterError()
    .addHelpText("after", examples("assay"));
  const study = new Argument("<study>", "a study's folder, or its name below --out-root");
  const json = () => new Option("--json", "machine-readable output");
  const outRoot = () => new Option("--out-root <folder>", "where studies are kept");

  selection(program.command("run").description("run a study, or go on where it stopped"))
    .option("--jobs <n>", "runs at the same time", wholeNumber("--jobs"))
    .option("--dry-run", "print the plan, run nothing")
    .option("--resume", "go on where the study stopped (also the default)")
    .option("--fresh", "start anew; the results so far move to a folder beside")
    .option("--rerun <what>", "failed, all, or the id of a run", "failed")
    .option("--fail-fast", "stop at the first failure (default: keep going)")
    .option("--max-cost <usd>", "start no new run once the study has cost this much", amount("--max-cost"))
    .option("--executor <kind>", "where runs run: thread, process")
    .option("--no-report", "write no report at the end")
    .option("-q, --quiet", "print only the result")
    .option("-v, --verbose", "a line for each run; twice: also for each start", (_, n: number) => n + 1, 0)
    .addOption(json())
    .addHelpText("after", examples("run"))
    .action(async (file, options) => (await import("./run.ts")).run(file ?? options.config, options));

  selection(
    program.command("plan").description("show what a study would run: runs, and how many each value has"),
  )
    .option("--runs", "list the runs")
    .option("--limit <n>", "list at most this many", wholeNumber("--limit"), 50)
    .addOption(json())
    .action(async (file, options) => (await import("./plan.ts")).plan(file ?? options.config, options));

  program
    .command("sim")
    .description("one run of the scheduler simulator; its parameters are options")
    .argument("[options...]", "parameters of sched-sim, such as --workflows 50 --policy full")
    .option("--seed <n>", "the seed", wholeNumber("--seed"), 1)
    .option("--out <folder>", "keep summary, workflows, tiers and traces there")
    .addOption(json())
    .allowUnknownOption()
    .addHelpText("after", examples("sim"))
    .action(async (words, options) => (await import("./sim.ts")).sim(words, options));

  program
    .command("status")
    .description("how far a study is; works while it runs")
    .argument("[study]", "a study's folder or name; all studies when left out")
    .addOption(outRoot())
    .addOption(json())
    .action(async (name, options) => (await import("./status.ts")).status(name, options));

  program
    .command("list")
    .description("what there is: targets, dialects, instruments, executors, reporters")
    .argument("[what]", "one family, or one target with its parameters")
    .addOption(json())
    .action(async (what, options) => (await import("./list.ts")).list(what, options));

  program
    .command("show")
    .description("everything about one run")
    .argument("<run>", "a run's id, a part of it that no other has, or its folder")
    .option("--study <study>", "look in this study only")
    .addOption(outRoot())
    .addOption(json())
    .action(async (id, options) => (await import("./show.ts")).show(id, options));

  program
    .command("collect")
    .description("gather all runs into one CSV")
    .argument("[study]", study.description)
    .option("--exp-dir <folder>", "the same as the argument")
    .option("--out-csv <file>", "default: aggregate/runs.csv in the study's folder")
    .addOption(new Option("--from <source>", "journal, or the runs' folders").choices(["journal", "folders"]))
    .addOption(outRoot())
    .addOption(json())
    .action(async (name, options) => (await import("./collect.ts")).collect(name ?? options.expDir, options));

  program
    .command("query")
    .description("ask the results in SQL (tables: runs, series, files)")
    .addArgument(study)
    .argument("<sql>", "a query in DuckDB's SQL")
    .option("--csv", "CSV output")
    .addOption(outRoot())
    .addOption(json())
    .addHelpText("after", examples("query"))
    .action(async (name, sql, options) => (await import("./query.ts")).query(name, sql, options));

  program
    .command("changes")
    .description("what has changed in the code since a study was last launched")
    .addArgument(study)
    .argument("[paths...]", "only in these files and folders")
    .addOption(outRoot())
    .addOption(json())
    .action(async (name, paths, options) => (await import("./changes.ts")).changes(name, paths, options));

  program
    .command("compare")
    .description("which is better, by how much, and how sure that is")
    .argument("[what...]", "studies, CSV files or exports of hyperfine; one study or CSV with --by")
    .option(
      "--metric <name>",
      "a metric, series or column, also as name:minimize; may be repeated",
      collectWords,
    )
    .option("--value <name>", "the same as --metric", collectWords)
    .addOption(new Option("--goal <goal>", "which way is better").choices(["minimize", "maximize"]))
    .option("--by <names>", "parameters or columns whose values are the arms", commaWords)
    .option("--arm <names>", "the same as --by", commaWords)
    .option("--baseline <arm>", "the arm that the others are compared with")
    .option("--per <name>", "compare apart for each of its values; name~regex takes a part of a text")
    .option("--pair <names>", "what pairs the arms (default: seed, task, and what else varies)", commaWords)
    .option("--task <column>", "the column of tasks; several rows of one task are rollouts")
    .option("--unpaired", "compare as independent groups")
    .option("--where <expr>", "only the runs or rows for which this condition holds")
    .option("--pairs <json...>", "pairs of runs: a JSON file, or the JSON itself")
    .option("--control-run-ids <ids...>", "runs to compare, one by one")
    .option("--candidate-run-ids <ids...>", "and what they are compared with")
    .addOption(
      new Option("--summary <kind>", "make one number of a series").choices(
        "auc last_n final mean max slope".split(" "),
      ),
    )
    .option("--step-min <step>", "the window's first step", anyNumber("--step-min"))
    .option("--step-max <step>", "the window's last step", anyNumber("--step-max"))
    .option("--share <share>", "the part of these steps that counts (auc: .25)", fraction("--share"))
    .addOption(new Option("--window-end <end>", "which part").choices(["first", "last"]))
    .option("--last-n <n>", "points for last_n (default: 5)", wholeNumber("--last-n"))
    .addOption(
      new Option("--side <side>", "greater: the candidate's values are greater")
        .choices(["two-sided", "greater", "less"])
        .default("two-sided"),
    )
    .option("--alpha <p>", "chance of a false claim", fraction("--alpha"), 0.05)
    .addOption(new Option("--method <name>", "how to compare").choices(["auto", ...METHODS]).default("auto"))
    .option("--resamples <n>", "for bootstrap and permutation", wholeNumber("--resamples"), 10_000)
    .option("--seed <n>", "seed of the resampling; or a CSV's column of seeds")
    .option("--margin <size>", "the smallest difference that matters: 5, or 5%")
    .addOption(
      new Option("--fail-on <what>", "exit 1 on a difference that is sure and beyond the margin").choices([
        "regression",
      ]),
    )
    .option("--csv <file>", "write the numbers to a file, too")
    .option("--md", "Markdown output")
    .addOption(outRoot())
    .addOption(json())
    .addHelpText("after", examples("compare"))
    .action(async (names, { value, arm, ...options }) => {
      const { compare } = await import("./compare.ts");
      await compare(names, { ...(value && { metric: value }), ...(arm && { by: arm }), ...options });
    });

  measuring(program.command("variance").description("how many seeds are enough for the precision sought"))
    .argument("<study...>", "a study; or runs, by id, folder or file of JSON lines")
    .option("--threshold <share>", "the half-width sought, relative", fraction("--threshold"), 0.05)
    .option("--effect <size>", "relative to this instead of the mean", amount("--effect"))
    .option("--legacy-cv", "the coefficient of variation of the first n runs, which can't tell")
    .option("--seed <n>", "seed of the resampling", wholeNumber("--seed"), 1)
    .option("--output <file>", "write the plot: .svg or .png")
    .addOption(json())
    .addHelpText("after", examples("variance"))
    .action(async (names, options) => (await import("./variance.ts")).variance(names, options));

  measuring(
    program.command("power").description("how many seeds or tasks an effect needs; what a budget finds"),
  )
    .argument("[study...]", "the pilot")
    .option("--pilot <study>", "the same as the argument")
    .option("--baseline <arm>", "the arm that the effect is relative to")
    .option("--candidate <arm>", "the other arm")
    .option("--task <name>", "the parameter that names the task")
    .option("--effect <size>", "to be found: 0.5 in the metric's unit, or 5% of the baseline", effectSize)
    .option("--mde", "the smallest effect that each size finds (the default without --effect)")
    .option("--sizes <list>", "sizes for --mde, such as 10,20,50", sizeList)
    .option("--budget-usd <usd>", "what this much money finds", amount("--budget-usd"))
    .option("--budget-hours <hours>", "what this much time finds", amount("--budget-hours"))
    .option("--power <share>", "chance to find it", fraction("--power"), 0.8)
    .option("--alpha <p>", "chance of a false claim", fraction("--alpha"), 0.05)
    .addOption(new Option("--side <side>").choices(["two-sided", "one-sided"]).default("two-sided"))
    .option("--jobs <n>", "runs at the same time, for hours", wholeNumber("--jobs"), 1)
    .addOption(json())
    .addHelpText("after", examples("power"))
    .action(async (names, options) => (await import("./power.ts")).power(names, options));

  measuring(program.command("rank").description("arms in order, with the groups that can't be told apart"))
    .argument("<study...>", "a study")
    .option("--alpha <p>", "chance of one false claim among all pairs", fraction("--alpha"), 0.05)
    .option("--resamples <n>", "for the chance of being best", wholeNumber("--resamples"), 10_000)
    .option("--seed <n>", "seed of the resampling", wholeNumber("--seed"), 1)
    .option("--output <file>", "write the arms as a plot: .svg or .png")
    .option("--profile <file>", "write the performance profile: .svg or .png")
    .addOption(json())
    .addHelpText("after", examples("rank"))
    .action(async (names, options) => (await import("./rank.ts")).rank(names, options));

  measuring(program.command("plot").description("draw one chart of a study"), commaWords)
    .argument("<study...>", "a study; or runs, by id, folder or file of JSON lines")
    .addOption(
      new Option("--kind <kind>", "which chart")
        .choices(["curves", "arms", "paired", "radial", "profile"])
        .makeOptionMandatory(),
    )
    .option("--baseline <arm>", "of two paired arms the one that is subtracted")
    .option("--candidate <arm>", "and the other")
    .option("--output <file>", "the file to write: .svg or .png")
    .addOption(json())
    .addHelpText("after", examples("plot"))
    .action(async (names, options) => (await import("./plot.ts")).plot(names, options));

  program
    .command("report")
    .description("write the report: HTML, Markdown, JSON")
    .argument("[study]", study.description)
    .option("--exp-dir <folder>", "the same as the argument")
    .option("--out-dir <folder>", "default: report/ in the study's folder")
    .addOption(outRoot())
    .addOption(json())
    .action(async (name, options) => (await import("./report.ts")).report(name ?? options.expDir, options));

  program
    .command("init")
    .description("write a commented first study")
    .argument("[file]", "the file to write", "study.yaml")
    .action(async (file) => (await import("./init.ts")).init(file));

  program
    .command("doctor")
    .description("what is installed, what is missing, how to get it")
    .addOption(json())
    .action(async (options) => (await import("./doctor.ts")).doctor(options));

  program
    .command("schema")
    .description("print the JSON Schema of the native study file")
    .action(async () => (await import("./schema.ts")).schema());

  program
    .command("completion")
    .description("print a completion script for your shell")
    .addArgument(new Argument("<shell>", "the shell").choices(["bash", "zsh", "fish"]))
    .action(async (shell) => (await import("./completion.ts")).completion(shell, createProgram()));

  return program;
}

/** What `run` and `plan` have in common: which study, and which of its runs. */
function selection(command: Command): Command {
  return command
    .argument("[file]", "the study file")
    .option("--config <file>", "the same as the argument")
    .option("--exp-name <name>", "override the study's name")
    .option("--out-root <folder>", "override where results go")
    .option(
      "-p, --param <key=value>",
      "override a parameter; may be repeated",
      (word, all: string[] | undefined) => [...(all ?? []), word],
    )
    .option("--seeds <list>", "override the seeds: 1,2,3 or 1..10", seedList)
    .option("--only <expr>", "only the runs for which this condition holds");
}

/** What the statistics commands have in common: which numbers, of which runs, grouped how. */
function measuring(command: Command, readMetric?: (text: string, all?: string[]) => string[]): Command {
  const metric = new Option("--metric <name>", "a metric or series (default: the study's analysis.metric)");
  if (readMetric) metric.argParser(readMetric);
  return command
    .addOption(metric)
    .option("--by <names>", "parameters whose values are the arms (default: the study's cells)", commaWords)
    .option("--where <expr>", "only the runs for which this condition holds")
    .addOption(new Option("--goal <goal>", "which way is better").choices(["minimize", "maximize"]))
    .addOption(
      new Option("--summary <kind>", "make one number of a series (default: auc)").choices(
        "auc last_n final slope".split(" "),
      ),
    )
    .option("--step-min <step>", "the window's first step", anyNumber("--step-min"))
    .option("--step-max <step>", "the window's last step", anyNumber("--step-max"))
    .option("--share <share>", "the part of these steps that counts (auc: .25)", fraction("--share"))
    .addOption(new Option("--window-end <end>", "which part").choices(["first", "last"]))
    .option("--last-n <n>", "points for last_n (default: 5)", wholeNumber("--last-n"))
    .option("--out-root <folder>", "where studies are kept");
}

function examples(command: keyof typeof EXAMPLES): string {
  const lines = EXAMPLES[command].map(([line, what]) => `  ${line}\n      ${what}`);
  return `\nExamples:\n${lines.join("\n")}`;
}

function amount(option: string) {
  return (text: string): number => {
    const number = Number(text);
    if (number > 0 && Number.isFinite(number)) return number;
    throw new UserError(option, { expected: "a number above 0", got: JSON.stringify(text) });
  };
}

function fraction(option: string) {
  return (text: string): number => {
    const number = Number(text);
    if (number > 0 && number <= 1) return number;
    throw new UserError(option, { expected: "a number between 0 and 1", got: JSON.stringify(text) });
  };
}

function anyNumber(option: string) {
  return (text: string): number => {
    const number = Number(text);
    if (text.trim() !== "" && Number.isFinite(number)) return number;
    throw new UserError(option, { expected: "a number", got: JSON.stringify(text) });
  };
}

function collectWords(word: string, all: string[] = []): string[] {
  return [...all, word];
}

function commaWords(text: string, all: string[] = []): string[] {
  return [...all, ...text.split(",").map((word) => word.trim())];
}

function wholeNumber(option: string) {
  return (text: string): number => {
    const number = Number(text);
    if (number > 0 && Number.isSafeInteger(number)) return number;
    throw new UserError(option, { expected: "a whole number above 0", got: JSON.stringify(text) });
  };
}

/** `0.5` in the metric's unit, `5%` of the baseline's mean. */
function effectSize(text: string): { value: number; isRelative: boolean } {
  const isRelative = text.trim().endsWith("%");
  const value = Number(isRelative ? text.trim().slice(0, -1) : text);
  if (value > 0 && Number.isFinite(value)) return { value: isRelative ? value / 100 : value, isRelative };
  throw new UserError("--effect", {
    expected: "a number above 0, or a share such as 5%",
    got: JSON.stringify(text),
  });
}

function sizeList(text: string): number[] {
  const sizes = text.split(",").map(Number);
  if (sizes.every((size) => Number.isSafeInteger(size) && size >= 2)) return sizes;
  throw new UserError("--sizes", {
    expected: "whole numbers from 2, such as 10,20,50",
    got: JSON.stringify(text),
  });
}

function seedList(text: string): number[] {
  const seeds = text.split(",").flatMap((part) => {
    const range = /^\s*(-?\d+)\.\.(-?\d+)\s*$/.exec(part);
    if (!range) return /^\s*-?\d+\s*$/.test(part) ? [Number(part)] : [Number.NaN];
    const [from, to] = [Number(range[1]), Number(range[2])];
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
  });
  if (seeds.length > 0 && seeds.every(Number.isSafeInteger)) return [...new Set(seeds)];
  throw new UserError("--seeds", {
    expected: "whole numbers such as 1,2,3 or 1..10",
    got: JSON.stringify(text),
  });
}
