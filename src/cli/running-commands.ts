import type { Command } from "commander";
import { examples } from "./examples.ts";
import { amount, seedList, wholeNumber } from "./read-option.ts";
import { json } from "./shared-options.ts";

/** What makes and runs studies. */
export function addRunningCommands(program: Command): void {
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
    .command("init")
    .description("write a commented first study")
    .argument("[file]", "the file to write", "study.yaml")
    .action(async (file) => (await import("./init.ts")).init(file));
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
