import { Argument, type Command, Option } from "commander";
import { sims } from "../targets/index.ts";
import { examples } from "./examples.ts";
import {
  collectWords,
  fraction,
  json,
  marginSize,
  outRoot,
  timeSpan,
  wholeNumber,
  withGoal,
} from "./read-option.ts";

/** What benchmarks need besides running: their history, times, and advice. */
export function addBenchmarkCommands(program: Command): void {
  withGoal(program.command("history"))
    .description("show a metric over commits, and where its level changed")
    .argument("<what...>", "a study, a target, a folder of studies, or result.json files")
    .option(
      "--metric <name>",
      "a metric, also as name:minimize (default: the study's analysis.metric, else duration_ms)",
    )
    .addOption(new Option("--goal <goal>", "which way is better").choices(["minimize", "maximize"]))
    .addOption(
      new Option("--points <kind>", "a point for each commit, or for each launch")
        .choices(["commit", "launch"])
        .default("commit"),
    )
    .option("--since <when>", "start at this commit or date")
    .option("--where <expr>", "only the runs for which this condition holds")
    .option("--alpha <p>", "chance of a false step", fraction("--alpha"), 0.05)
    .option("--seed <n>", "seed of the permutations", wholeNumber("--seed"), 1)
    .addOption(
      new Option("--fail-on <what>", "exit 1 when the newest step of a cell is for the worse").choices([
        "regression",
      ]),
    )
    .option("--margin <size>", "the smallest step that fails: 5, or 5%", marginSize)
    .option("--limit <n>", "show at most this many points", wholeNumber("--limit"), 40)
    .option("--run", "measure commits between the two points of the newest step, until it is one commit's")
    .option("--setup <command>", "with --run: makes each checkout ready, such as 'npm ci'")
    .option("--out <file>", "write the chart: .svg or .png")
    .addOption(outRoot())
    .addOption(json())
    .addHelpText("after", examples("history"))
    .action(async (names, options) => (await import("./history.ts")).history(names, options));

  program
    .command("time")
    .description("time command lines in turns, and see which is faster and how sure that is")
    .argument("<commands...>", "command lines in quotes, with {name} where a value of -p goes")
    .option("--warmup <n>", "runs of each that don't count", wholeNumber("--warmup"), 0)
    .option(
      "--runs <n>",
      "how many of each (default: ten or more, for --time, or until it is known to 2 %)",
      wholeNumber("--runs"),
    )
    .option(
      "--time <duration>",
      "how long to measure each; up to three times as long while it is not known to 2 %",
      timeSpan("--time"),
      3000,
    )
    .option("--prepare <command>", "before each run")
    .option("--setup <command>", "once, before all runs")
    .option("--cleanup <command>", "after all runs of a command")
    .option("-p, --param <name=values>", "values for {name}: size=10,100; may be repeated", collectWords)
    .option("--shell <shell>", "what runs the lines; none starts the programs themselves", "sh")
    .option("-i, --ignore-failure", "count runs that fail, too")
    .option("--export-json <file>", "write the times as hyperfine does")
    .option("--export-csv <file>", "the same as CSV")
    .option("--export-markdown <file>", "the table")
    .option("--seed <n>", "seed of the order", wholeNumber("--seed"), 1)
    .addOption(json())
    .addHelpText("after", examples("time"))
    .action(async (lines, options) => (await import("./time.ts")).timeLines(lines, options));

  const suites = Object.keys(sims.suites);
  const presets = suites.map((name) => JSON.stringify(`${name}-recommended.yaml`)).join(" or ");
  program
    .command("recommend")
    .description("measure a few configurations on this machine and recommend one")
    .addArgument(new Argument("<suite>", "which suite").choices(suites))
    .option("--quick", "about 15 seconds instead of a minute")
    .option("--out <file>", `where to write the preset (default: ${presets})`)
    .addOption(outRoot())
    .addOption(json())
    .addHelpText("after", examples("recommend"))
    .action(async (suite, options) => (await import("./recommend.ts")).recommendSuite(suite, options));
}
