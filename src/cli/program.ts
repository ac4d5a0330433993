import { Argument, Command, Option } from "commander";
import packageJson from "../../package.json" with { type: "json" };
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

function wholeNumber(option: string) {
  return (text: string): number => {
    const number = Number(text);
    if (number > 0 && Number.isSafeInteger(number)) return number;
    throw new UserError(option, { expected: "a whole number above 0", got: JSON.stringify(text) });
  };
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
