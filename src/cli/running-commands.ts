import { Argument, type Command, Option } from "commander";
import { FAMILIES } from "../core/family.ts";
import { sims } from "../targets/index.ts";
import { examples } from "./examples.ts";
import {
  amount,
  collectWords,
  commaWords,
  json,
  metricsAddress,
  outRoot,
  quiet,
  seedsOption,
  study,
  timeSpan,
  untilOption,
  verbose,
  wholeNumber,
} from "./read-option.ts";

/** What makes and runs studies. */
export function addRunningCommands(program: Command): void {
  program
    .command("try")
    .description("run your program with several values and seeds, and see which differences are real")
    .argument("[command]", "the command line in quotes, with {name} where a value goes")
    .argument("[values...]", "the values of each: model=small,big; {seed} needs none")
    .option(
      "--metric <pattern>",
      "the number that counts: a regular expression for what the program prints, or a metric it writes; may be repeated",
      collectWords,
    )
    .addOption(new Option("--goal <goal>", "which way is better").choices(["minimize", "maximize"]))
    .option("--seeds <n>", "how many seeds (ASSAY_SEED, {seed}), or which: 11..20", seedsOption, 5)
    .option("--jobs <n>", "runs at the same time", wholeNumber("--jobs"))
    .option("--out <file>", "the study file to write for next time", "study.yaml")
    .addOption(quiet())
    .addOption(json())
    .addHelpText("after", examples("try"))
    .action(async (line, values, options) => (await import("./try.ts")).tryCommand(line, values, options));

  selection(program.command("run").description("run a study, or resume it where it stopped"))
    .option("--jobs <n>", "runs at the same time", wholeNumber("--jobs"))
    .option("--dry-run", "print the plan, run nothing")
    .option("--resume", "resume where the study stopped (the default)")
    .option("--fresh", "start over; the results so far move to a folder next to it (rollouts: a new launch)")
    .option(
      "--rerun <what>",
      "failed (the default), all, those of one owner (infrastructure, agent, ...), or the id of a run",
    )
    .option("--rollout <stamp>", "rollouts: resume this launch")
    .option("--fail-fast", "stop at the first failure (default: keep going)")
    .option(
      "--until <what>",
      "run in rounds until decided, precise=2% or budget: a valid answer as early as possible",
      untilOption,
    )
    .option("--replay-decisions", "decide again from the journal, compare, and run nothing")
    .option(
      "--max-time <duration>",
      "end after this long, such as 8h; the same command resumes",
      timeSpan("--max-time"),
    )
    .option("--max-cost <usd>", "start no new run once this launch has cost this much", amount("--max-cost"))
    .option("--executor <kind>", "where runs execute: thread, process, queue, slurm")
    .option(
      "--queue <url>",
      "with executor queue: redis://..., rediss://..., postgres://... (or ASSAY_QUEUE)",
    )
    .option("--metrics <port>", "serve OpenMetrics for Prometheus: PORT, or HOST:PORT", metricsAddress)
    .option("--ui", "serve the live page of this study while it runs, and print its link")
    .option("--detach", "run in the background, without this terminal; `assay status --follow` follows it")
    .option("--no-report", "write no report at the end")
    .option("--record", "agents: keep each run's model traffic, for --replay")
    .option("--replay <study>", "agents: answer from what this study recorded, with no key and no network")
    .option(
      "--scripted <command>",
      "agents: no provider; the model asks for this shell command, then is done; again: one after the other",
      collectWords,
    )
    .option(
      "--fault <kind>",
      "agents: no provider; calls fail with 401, 429, cut, ... (429@3: from the third on)",
    )
    .option("--no-trace", "agents: write no spans of model and tool calls")
    .addOption(quiet())
    .addOption(verbose())
    .addOption(json())
    .addHelpText("after", examples("run"))
    .action(async (file, options) => (await import("./run.ts")).run(file ?? options.config, options));

  selection(program.command("plan").description("show what a study would run"))
    .option("--runs", "list the runs")
    .option("--limit <n>", "list at most this many", wholeNumber("--limit"), 50)
    .addOption(json())
    .action(async (file, options) => (await import("./plan.ts")).plan(file ?? options.config, options));

  program
    .command("score")
    .description(
      "score the stored outputs of a study again, and run nothing: by its scorers, or, of coding agents, by their tasks' tests",
    )
    .argument("<study>", "a study file, a study's folder, or its name below --out-root")
    .option("--all", "score every output, not only those that a scorer has not seen in its present state")
    .option("--jobs <n>", "outputs scored at the same time", wholeNumber("--jobs"))
    .option("--latest", "rollouts: the newest launch (also the default)")
    .option("--rollout <stamp>", "rollouts: the launch of this time")
    .addOption(outRoot())
    .option("--no-report", "write no report at the end")
    .addOption(quiet())
    .option("-v, --verbose", "one line per output", (_, n: number) => n + 1, 0)
    .addOption(json())
    .addHelpText("after", examples("score"))
    .action(async (name, options) => (await import("./score.ts")).score(name, options));

  selection(
    program.command("lock").description("fix a study's question, arms and rules before its first run"),
  )
    .option("--until <what>", "as `run` takes it: decided, precise=2% or budget", untilOption)
    .option("--no-git", "write no tag into the git repository around the file")
    .addOption(json())
    .addHelpText("after", examples("lock"))
    .action(async (file, options) => (await import("./lock.ts")).lock(file ?? options.config, options));

  addSweepCommands(program);
  addControlCommands(program);

  program
    .command("sim")
    .description("run the scheduler simulator once; its parameters are options")
    .argument("[options...]", `parameters of ${sims.simulator.target}, such as ${sims.simulator.example}`)
    .option("--seed <n>", "the seed", wholeNumber("--seed"), 1)
    .option("--out <folder>", "keep summary, workflows, tiers and traces there")
    .addOption(json())
    .allowUnknownOption()
    .addHelpText("after", examples("sim"))
    .action(async (words, options) => (await import("./sim.ts")).sim(words, options));

  program
    .command("agent")
    .description("run the language-model agent once; its parameters are options")
    .argument("[options...]", "parameters of the target agent, such as --model scripted --strategy hybrid")
    .option("--dry-run", "print the plan and what it may cost, run nothing")
    .option("--seeds <n>", "how many seeds, or which: 11..20", seedsOption, 1)
    .option("--out <file>", "the study file to write for next time (default: named for the parameters)")
    .addOption(quiet())
    .addOption(json())
    .allowUnknownOption()
    .addHelpText("after", examples("agent"))
    .action(async (words, options) => (await import("./agent.ts")).agent(words, options));

  program
    .command("init")
    .description("write something to start from: a commented study, or a target or plugin of yours")
    .argument(
      "[what]",
      `target, ${Object.keys(FAMILIES).join(", ")}, or the study file to write`,
      "study.yaml",
    )
    .argument("[name]", "of a target or plugin, such as sort-numbers")
    .addOption(
      new Option("--kind <kind>", "study: what to measure; on a terminal it asks (default: matrix)").choices([
        ...["program", "matrix", "agents", "benchmark"],
      ]),
    )
    .option("--dir <folder>", "where to write it", ".")
    .addOption(json())
    .addHelpText("after", examples("init"))
    .action(async (what, name, options) => (await import("./init.ts")).init(what, name, options));
}

/** Several processes at one study. */
function addSweepCommands(program: Command): void {
  overrides(
    program
      .command("sweep")
      .description(
        "make a sweep that workers can join, or change one: pause, resume, finish, widen, add points",
      )
      .argument("[what]", "a study file; with one of the changes below, a sweep's name or folder")
      .addOption(new Option("--config <file>", "as the runner of matrix files has it").hideHelp())
      .addOption(new Option("--jobs <n>", "the same as CSV").hideHelp()),
  )
    .option("--fresh", "start over; the results so far move to a folder next to it")
    .option("--pause", "hand out no more runs for now")
    .option("--resume", "resume after a pause, or after --finish")
    .option("--finish", "propose no more points; finish the open ones")
    .option("--points <n>", "try this many points in all", wholeNumber("--points"))
    .option("--add <json>", 'a point to try, such as {"lr": 0.01}; may be repeated', collectWords)
    .option("--replay", "ask the searcher again at each step and check that it proposes the same")
    .addOption(json())
    .addHelpText("after", examples("sweep"))
    .action(async (what, options) => (await import("./sweep.ts")).sweep(what, options));

  program
    .command("worker")
    .description("take runs from a sweep or a queue and do them; start as many workers as you like")
    .argument("[sweep]", "the sweep's name or folder; none with --queue")
    .option(
      "--queue <url>",
      "take runs from here: redis://..., rediss://..., postgres://... (or ASSAY_QUEUE)",
    )
    .option("--labels <list>", "with a queue: what this worker is good for, such as gpu,big", commaWords)
    .option(
      "--preemptible",
      "with a queue: TERM asks what runs to end within its grace (limits.grace); without, the worker finishes it",
    )
    .option("--only-shipped", "with a queue: run only the targets that ship with Assay")
    .option(
      "--lease <seconds>",
      "with a queue: a worker that stays silent this long loses its runs",
      amount("--lease"),
    )
    .option("--count <n>", "take at most this many runs", wholeNumber("--count"))
    .option("--metrics <port>", "serve OpenMetrics for Prometheus: PORT, or HOST:PORT", metricsAddress)
    .option("--jobs <n>", "runs at the same time in this worker", wholeNumber("--jobs"))
    .addOption(outRoot())
    .addOption(quiet())
    .addOption(verbose())
    .addOption(json())
    .addHelpText("after", examples("worker"))
    .action(async (name, options) => (await import("./worker.ts")).worker(name, options));
}

/** What steers a study that runs in another process. */
function addControlCommands(program: Command): void {
  const steer = (action: "pause" | "resume" | "cancel" | "adjust", description: string) =>
    program.command(action).description(description).addArgument(study());
  const call =
    (action: "pause" | "resume" | "cancel" | "adjust") =>
    async (name: string, options: Record<string, unknown>) =>
      (await import("./control.ts")).control(action, name, options);
  steer("pause", "start no more runs of a study; runs in progress continue")
    .addOption(outRoot())
    .addOption(json())
    .action(call("pause"));
  steer("resume", "resume a paused study").addOption(outRoot()).addOption(json()).action(call("resume"));
  steer("adjust", "change how many runs a running study has at once, or its limits, until the launch ends")
    .option("--jobs <n>", "runs at the same time", wholeNumber("--jobs"))
    .option("--max-cost <usd>", "what the launch may cost in all", amount("--max-cost"))
    .option(
      "--max-time <time>",
      "how long the launch may take in all, such as 90s or 2h",
      timeSpan("--max-time"),
    )
    .addOption(outRoot())
    .addOption(json())
    .addHelpText("after", examples("adjust"))
    .action(call("adjust"));
  steer("cancel", "end a study's runs in progress, or one of them; the same `assay run` resumes later")
    .argument("[run]", "one run's id, or an unambiguous part of it")
    .addOption(outRoot())
    .addOption(json())
    .action((name, run, options) => call("cancel")(name, { ...options, run }));
}

/** What `run` and `plan` have in common: which study, and which of its runs. */
function selection(command: Command): Command {
  return overrides(
    command.argument("[file]", "the study file").option("--config <file>", "same as the argument"),
  ).option("--only <expr>", "only the runs for which this condition holds");
}

function overrides(command: Command): Command {
  return command
    .option("--exp-name <name>", "override the study's name")
    .option("--out-root <folder>", "override where results go")
    .option("-p, --param <key=value>", "override a parameter; may be repeated", collectWords)
    .option(
      "--preset <file>",
      "override the parameters that this file has under params:; -p wins",
      collectWords,
    )
    .option("--seeds <n>", "override the seeds: how many (5), or which (1,4,7 or 11..20)", seedsOption);
}

/** What looks at the machines that take runs from a queue. */
export function addFleetCommands(program: Command): void {
  program
    .command("fleet")
    .description("show a queue's workers, what runs and what waits; or pause, resume and drain workers")
    .addArgument(new Argument("[action]", "what to ask of workers").choices(["pause", "resume", "drain"]))
    .argument("[worker]", "a worker's id, or an unambiguous part of it; default: all")
    .option("--queue <url>", "redis://..., rediss://..., postgres://... (or ASSAY_QUEUE)")
    .option("--watch", "refresh every two seconds until Ctrl-C")
    .addOption(json())
    .addHelpText("after", examples("fleet"))
    .action(async (action, worker, options) => (await import("./fleet.ts")).fleet(action, worker, options));
}
