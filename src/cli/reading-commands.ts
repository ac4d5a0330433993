import { join } from "node:path";
import { type Command, Option } from "commander";
import { UserError } from "../core/errors.ts";
import { examples } from "./examples.ts";
import {
  amount,
  anyNumber,
  collectWords,
  commaWords,
  fraction,
  json,
  outRoot,
  portNumber,
  requireStudy,
  STUDY_TEXT,
  study,
  wholeNumber,
} from "./read-option.ts";
import { measuring } from "./statistics-commands.ts";

/** What reads a study, also while it runs. */
export function addReadingCommands(program: Command): void {
  program
    .command("status")
    .description("show a study's progress and failures, or one of its runs; works while it runs")
    .argument("[study]", "a study's folder or name; default: all studies")
    .argument("[run...]", "a run's id or part of it: everything about it; with --changes: files and folders")
    .option("--changes", "show what changed in the code since the study last ran anything")
    .option("--follow", "keep showing progress until the study ends; Ctrl-C leaves it running")
    .addOption(outRoot())
    .addOption(json())
    .addHelpText("after", examples("status"))
    .action(async (name, rest: string[], options) => {
      const [run] = rest;
      if (options.changes) await (await import("./changes.ts")).changes(requireStudy(name), rest, options);
      else if (rest.length > 1)
        throw new UserError(`one study and one run, not ${rest.length + 1} words`, {
          remedy: "`assay status` without a name shows all studies.",
        });
      else if (run !== undefined) await (await import("./show.ts")).show(run, { ...options, study: name });
      else await (await import("./status.ts")).status(name, options);
    });

  program
    .command("ui")
    .description("serve a live page of all studies below a folder, on this machine only")
    .argument("[dir...]", "folders with studies, or one study; default: bench_runs and data/rollouts")
    .option("--port <n>", "the port; default: a free one", portNumber("--port"))
    .option("--host <address>", "127.0.0.1, localhost or ::1", "127.0.0.1")
    .option("--open", "open it in a browser")
    .option("--queue <url>", "show the fleet of this queue too: redis://..., postgres://... (or ASSAY_QUEUE)")
    .option("--allow-control", "let the page pause, resume, cancel and rerun runs (default: read-only)")
    .option("--read-only", "take no notes from the page either")
    .option(
      "--proxy-user <header>",
      "behind a proxy that authenticates: the header that names the user; no key, read-only",
    )
    .option("--public-url <url>", "with --proxy-user: where people find it, such as https://lab/assay")
    .addOption(json())
    .addHelpText("after", examples("ui"))
    .action(async (dirs, options) => (await import("./ui.ts")).ui(dirs, options));

  program
    .command("show")
    .description("show everything about one run")
    .argument("<run>", "a run's id, an unambiguous part of it, or its folder")
    .option("--study <study>", "look in this study only")
    .addOption(outRoot())
    .addOption(json())
    .action(async (id, options) => (await import("./show.ts")).show(id, options));

  program
    .command("note")
    .description("write down what you say of a study, a task, a run or a turn; or print what people said")
    .addArgument(study())
    .argument("[text]", "the note; replaces your earlier one on the same thing")
    .option("--run <id>", "on this run: its id, or an unambiguous part of it")
    .option("--turn <n>", "with --run: on this turn of its transcript", wholeNumber("--turn"))
    .option("--task <name>", "on this task")
    .option("--verdict <word>", "your label, such as pass or fail")
    .option("--tag <word>", "add a tag; may be repeated", collectWords)
    .option("--untag <word>", "take a tag back; may be repeated", collectWords)
    .option("--clear", "take back all that you said of it")
    .option("--by <name>", "who says so (default: ASSAY_USER, or your user name)")
    .addOption(outRoot())
    .addOption(json())
    .addHelpText("after", examples("note"))
    .action(async (name, text, options) => (await import("./note.ts")).note(name, text, options));

  program
    .command("judge")
    .description(
      "say what people would say of all runs, from a judge's scores on all of them and people's verdicts on some",
    )
    .addArgument(study())
    .option("--judge <metric>", "the judge's metric (default: that of the study's judge)")
    .option("--pass <word>", "verdicts that count as 1, all others as 0; may be repeated", collectWords)
    .option("--pick <n>", "instead, print so many unlabelled runs, drawn at random", wholeNumber("--pick"))
    .option("--by <names>", "parameters whose values are the arms", commaWords)
    .option("--where <expr>", "only the runs for which this condition holds")
    .option("--level <share>", "the interval's confidence (default: 0.95)", fraction("--level"))
    .addOption(outRoot())
    .addOption(json())
    .addHelpText("after", examples("judge"))
    .action(async (name, options) => (await import("./judge.ts")).judge(name, options));

  program
    .command("list")
    .description("list targets, dialects, instruments, executors and reporters")
    .argument("[what]", "one family, or one target with its parameters, or your own file")
    .addOption(json())
    .action(async (what, options) => (await import("./list.ts")).list(what, options));

  program
    .command("export")
    .description("write runs, series and instances to files, or hand them to MLflow or W&B")
    .argument("[study]", STUDY_TEXT)
    .option("--exp-dir <folder>", "same as the argument")
    .option("--out <file>", "where to write; default: aggregate/<table>.<format> in the study's folder")
    .addOption(
      new Option(
        "--format <format>",
        "csv; parquet, arrow or feather, which keep types; or json (all tables and the design); default: by the file's name",
      ).choices(["csv", "parquet", "arrow", "feather", "json"]),
    )
    .addOption(
      new Option(
        "--table <table>",
        "runs (default), series (steps), instances (agents' trajectories), or all",
      ).choices(["runs", "series", "instances", "all"]),
    )
    .addOption(new Option("--from <source>", "journal, or the runs' folders").choices(["journal", "folders"]))
    .option(
      "--to <tool...>",
      "mlflow URL, mlflow FOLDER, or wandb [FOLDER] (for `wandb sync`): runs with params, metrics, series and files; later exports add only what is new",
    )
    .option("--no-artifacts", "with --to: leave out the runs' files")
    .addOption(outRoot())
    .addOption(json())
    .addHelpText("after", examples("export"))
    .action(async (name, options) => (await import("./collect.ts")).collect(name ?? options.expDir, options));

  program
    .command("query")
    .description("query the results in SQL (tables: runs, series, instances, notes, files)")
    .addArgument(study())
    .argument("<sql>", "a query in DuckDB's SQL")
    .addOption(new Option("--format <kind>", "how to print it").choices(["table", "csv", "json"]))
    .addOption(outRoot())
    .addOption(json())
    .addHelpText("after", examples("query"))
    .action(async (name, sql, options) => (await import("./query.ts")).query(name, sql, options));

  const report = program
    .command("report")
    .description("write the report: a page, charts, Markdown, JSON, JUnit; or one chart")
    .argument("[study...]", "a study; with --chart also runs, by id, folder or file of JSON lines")
    .option("--exp-dir <folder>", "same as the argument")
    .option("--runs-csv <file>", "the same, by its aggregate/runs.csv")
    .option(
      "--out <path>",
      "a folder (default: report/ in the study's folder); for a chart, its .svg or .png file",
    )
    .option("--format <names>", "html, md, json, junit (default: html,md,json)", commaWords)
    .option("--no-plots", "leave out the charts' PNG and SVG files")
    .option("--open", "open the page")
    .addOption(json())
    .optionsGroup("One chart:")
    .addOption(
      new Option("--chart <kind>", "draw this one only").choices([
        ...["curves", "arms", "paired", "radial", "profile", "qq", "bootstrap"],
      ]),
    )
    .option("--baseline <arm>", "the arm that is subtracted")
    .option("--candidate <arm>", "and the other")
    .addHelpText("after", examples("report"))
    .action(async (names, options) => {
      const { expDir, runsCsv } = options;
      const dir = expDir ?? (runsCsv === undefined ? undefined : join(runsCsv, "../.."));
      const words = dir === undefined ? names : [dir, ...names];
      if (options.chart !== undefined) await (await import("./plot.ts")).plot(words, options);
      else await (await import("./report.ts")).report(words, options);
    });
  measuring(report, commaWords);
}

/** What hands studies on to other people. */
export function addSharingCommands(program: Command): void {
  const place = "s3://bucket/prefix, ssh://user@host/path, or a folder";
  program
    .command("push")
    .description(
      "send a study to a place that your team shares: what it doesn't have yet, as checked bundles",
    )
    .addArgument(study())
    .argument("<place>", place)
    .option("--records", "only the records, notes and study.json, without the runs' files")
    .option("--all", "send also what the place has already, such as to replace a damaged bundle")
    .addOption(outRoot())
    .addOption(json())
    .addHelpText("after", examples("push"))
    .action(async (name, to, options) => (await import("./share.ts")).push(name, to, options));

  program
    .command("pull")
    .description("fetch studies that others pushed, and merge them with what is here, run by run")
    .argument("<place>", place)
    .argument("[study...]", "their names; default: all studies of the place")
    .option("--records", "only the records, notes and study.json, without the runs' files")
    .option("--list", "list the studies of the place, and fetch nothing")
    .addOption(outRoot())
    .addOption(json())
    .addHelpText("after", examples("pull"))
    .action(async (from, names, options) => (await import("./share.ts")).pull(from, names, options));
}

/** What reads the records of agents, whoever wrote them. */
export function addTrajectoryCommands(program: Command): void {
  const traj = program
    .command("traj")
    .description("summarize agents' trajectories: turns, tokens, cost and exits")
    .argument("<path...>", "trajectories, folders of them, or studies by name")
    .option("--table", "one row per file, however many there are")
    .option("--csv [file]", "write one row per file as CSV, to a file or to the terminal")
    .option("--to <words...>", "convert one trajectory: --to atif FILE, --to swe-agent FILE")
    .option("--strict", "exit 1 when a file is broken")
    .addOption(outRoot())
    .addOption(json())
    .addHelpText("after", examples("traj"))
    .action(async (paths, options) => (await import("./traj.ts")).traj(paths, options));

  traj
    .command("replay")
    .description("estimate prompts and cost under another context strategy, without a model")
    .argument("<path...>", "trajectories, folders of them, or studies by name")
    .requiredOption("--strategy <name>", "raw, observation_masking, llm_summary, hybrid, or ./your-own.ts")
    .option("--obs-n <n>", "observations that masking keeps", wholeNumber("--obs-n"))
    .option("--sum-n <n>", "turns that a summary covers", wholeNumber("--sum-n"))
    .option("--sum-keep-m <n>", "turns that are kept besides", anyNumber("--sum-keep-m"))
    .option("--no-static-checkpoint", "keep older checkpoints next to the newest")
    .option("--extract-actions", "keep the actions of summarised turns")
    .option("--summary-tokens <n>", "assumed length of a summary", wholeNumber("--summary-tokens"), 600)
    .option("--model <name>", "whose prices count: a preset, or provider:model")
    .option("--prices <file>", "prices of your own (YAML or JSON)")
    .option("--context <tokens>", "say where a prompt is longer than this", amount("--context"))
    .option("--turns", "one row per turn, also for several files")
    .addOption(json())
    .action(async (paths, _, replay: Command) => {
      // An option that `traj` has too is taken for its own, wherever it stands.
      const { json: isJson, outRoot: root, ...others } = traj.opts();
      const foreign = Object.keys(others);
      if (foreign.length > 0) throw new UserError(`replay has no option --${foreign[0]}`);
      const module = await import("./traj-replay.ts");
      await module.trajReplay(paths, { ...replay.opts(), json: isJson, outRoot: root });
    });
}

/** What takes in the results of other tools. */
export function addImportCommands(program: Command): void {
  program
    .command("import")
    .description(
      "turn results of Harbor, Terminal-Bench, SWE-bench, Inspect, OpenHands, pytest-benchmark or asv into a study",
    )
    .argument("<path...>", "result files, or folders of them")
    .option("--name <study>", "name of the study; results join a study of that name that was imported before")
    .option(
      "--format <name>",
      "read only this: harbor, terminal-bench, swe-bench, inspect, openhands, pytest-benchmark, asv",
    )
    .option("--set <name=value...>", "parameters that the files don't name: model=NAME, agent=NAME")
    .addOption(
      new Option(
        "--by <what>",
        "folder: each folder right below PATH is a system of its own, named after it (parameter system)",
      ).choices(["folder"]),
    )
    .addOption(
      new Option(
        "--missing <as>",
        "failed: tasks that others tried, and tries without a verdict, count as failed",
      ).choices(["failed"]),
    )
    .addOption(outRoot())
    .addOption(json())
    .addHelpText("after", examples("import"))
    .action(async (paths, options) => (await import("./import.ts")).importCommand(paths, options));
}
