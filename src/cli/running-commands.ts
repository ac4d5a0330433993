import { type Command, Option } from "commander";
import { sims } from "../targets/index.ts";
import { examples } from "./examples.ts";
import { amount, commaWords, seedCount, seedList, wholeNumber } from "./read-option.ts";
import { json, outRoot, study } from "./shared-options.ts";

/** What makes and runs studies. */
export function addRunningCommands(program: Command): void {
  program
    .command("try")
    .description("run a program of yours with several values and seeds, and see which differences are real")
    .argument("[command]", "the command line in quotes, with {name} where a value goes")
    .argument("[values...]", "the values of each: model=small,big; {seed} needs none")
    .option(
      "--metric <pattern>",
      "the number that counts: a regular expression for what the program prints, or the name of a metric that it writes; may be repeated",
      collect,
    )
    .addOption(new Option("--goal <goal>", "which way is better").choices(["minimize", "maximize"]))
    .option("--seeds <n>", "how many seeds (ASSAY_SEED, {seed}), or a list such as 1..10", seedCount, 5)
    .option("--jobs <n>", "runs at the same time", wholeNumber("--jobs"))
    .option("--out <file>", "the study file to write, which does the same", "study.yaml")
    .option("-q, --quiet", "print only the result")
    .addOption(json())
    .addHelpText("after", examples("try"))
    .action(async (line, values, options) => (await import("./try.ts")).tryCommand(line, values, options));

  selection(program.command("run").description("run a study, or go on where it stopped"))
    .option("--jobs <n>", "runs at the same time", wholeNumber("--jobs"))
    .option("--dry-run", "print the plan, run nothing")
    .option("--resume", "go on where the study stopped (also the default)")
    .option("--fresh", "start anew; the results so far move to a folder beside (rollouts: a new launch)")
    .option("--rerun <what>", "failed (the default), all, or the id of a run")
    .option("--rollout <stamp>", "rollouts: go on with this launch")
    .option("--fail-fast", "stop at the first failure (default: keep going)")
    .option("--max-cost <usd>", "start no new run once the study has cost this much", amount("--max-cost"))
    .option("--executor <kind>", "where runs run: thread, process, queue, slurm")
    .option(
      "--queue <url>",
      "with executor queue: redis://..., rediss://..., postgres://... (or ASSAY_QUEUE)",
    )
    .option("--ui", "serve the live page of this study while it runs, and print its link")
    .option("--detach", "run in the background, without this terminal; `assay attach` follows it")
    .option("--no-report", "write no report at the end")
    .option("--no-trace", "agents: write no spans of model and tool calls")
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

  addSweepCommands(program);
  addControlCommands(program);

  program
    .command("sim")
    .description("one run of the scheduler simulator; its parameters are options")
    .argument("[options...]", `parameters of ${sims.simulator.target}, such as ${sims.simulator.example}`)
    .option("--seed <n>", "the seed", wholeNumber("--seed"), 1)
    .option("--out <folder>", "keep summary, workflows, tiers and traces there")
    .addOption(json())
    .allowUnknownOption()
    .addHelpText("after", examples("sim"))
    .action(async (words, options) => (await import("./sim.ts")).sim(words, options));

  program
    .command("init")
    .description("write a commented first study")
    .argument("[file]", "the file to write", "study.yaml")
    .action(async (file) => (await import("./init.ts")).init(file));
}

/** Several processes at one study. */
function addSweepCommands(program: Command): void {
  overrides(
    program
      .command("sweep")
      .description(
        "make a sweep that workers can join, or change one: pause, resume, finish, widen, add points",
      )
      .argument("<what>", "a study file; with one of the changes below, a sweep's name or folder"),
  )
    .option("--fresh", "start anew; the results so far move to a folder beside")
    .option("--pause", "hand out nothing more for now")
    .option("--resume", "go on after a pause, or after --finish")
    .option("--finish", "propose no further point; what is open is still done")
    .option("--points <n>", "try so many points in all", wholeNumber("--points"))
    .option("--add <json>", 'a point to try, such as {"lr": 0.01}; may be repeated', collect)
    .option("--replay", "ask the searcher again at each step, and say whether it proposes the same")
    .addOption(json())
    .addHelpText("after", examples("sweep"))
    .action(async (what, options) => (await import("./sweep.ts")).sweep(what, options));

  program
    .command("worker")
    .description(
      "take and do runs of a sweep, or of any study from a queue, beside as many others as you like",
    )
    .argument("[sweep]", "the sweep's name or folder; none with --queue")
    .option(
      "--queue <url>",
      "take runs from here: redis://..., rediss://..., postgres://... (or ASSAY_QUEUE)",
    )
    .option("--labels <list>", "with a queue: what this worker is good for, such as gpu,big", commaWords)
    .option("--only-shipped", "with a queue: run no code but the targets that ship with Assay")
    .option("--lease <seconds>", "with a queue: silent for so long, it has lost its runs", amount("--lease"))
    .option("--count <n>", "take at most so many runs", wholeNumber("--count"))
    .option("--jobs <n>", "runs at the same time in this worker", wholeNumber("--jobs"))
    .addOption(outRoot())
    .option("-q, --quiet", "print only the result")
    .option("-v, --verbose", "a line for each run; twice: also for each start", (_, n: number) => n + 1, 0)
    .addOption(json())
    .addHelpText("after", examples("worker"))
    .action(async (name, options) => (await import("./worker.ts")).worker(name, options));
}

/** What steers a study that runs in another process. */
function addControlCommands(program: Command): void {
  const steer = (action: "pause" | "resume" | "cancel", description: string) =>
    program.command(action).description(description).addArgument(study());
  const call =
    (action: "pause" | "resume" | "cancel") => async (name: string, options: Record<string, unknown>) =>
      (await import("./control.ts")).control(action, name, options);
  steer("pause", "let a running study launch nothing more; what runs goes on")
    .addOption(outRoot())
    .addOption(json())
    .action(call("pause"));
  steer("resume", "let a paused study go on").addOption(outRoot()).addOption(json()).action(call("resume"));
  steer("cancel", "end what runs of a study, or one run of it; the same `assay run` goes on later")
    .argument("[run]", "the id of one run, or a part of it that no other has")
    .addOption(outRoot())
    .addOption(json())
    .action((name, run, options) => call("cancel")(name, { ...options, run }));
}

/** What `run` and `plan` have in common: which study, and which of its runs. */
function selection(command: Command): Command {
  return overrides(
    command.argument("[file]", "the study file").option("--config <file>", "the same as the argument"),
  ).option("--only <expr>", "only the runs for which this condition holds");
}

function overrides(command: Command): Command {
  return command
    .option("--exp-name <name>", "override the study's name")
    .option("--out-root <folder>", "override where results go")
    .option("-p, --param <key=value>", "override a parameter; may be repeated", collect)
    .option("--preset <file>", "override the parameters that this file has under params:; -p wins", collect)
    .option("--seeds <list>", "override the seeds: 1,2,3 or 1..10", seedList);
}

function collect(word: string, all: string[] | undefined): string[] {
  return [...(all ?? []), word];
}
