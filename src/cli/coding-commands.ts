import { type Command, Option } from "commander";
import { examples } from "./examples.ts";
import {
  amount,
  collectWords,
  json,
  metricsAddress,
  outRoot,
  quiet,
  study,
  timeSpan,
  wholeNumber,
} from "./read-option.ts";

/** What is about the rollouts of coding agents. */
export function addRolloutCommands(program: Command): void {
  const launch = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .addArgument(study())
      .option("--latest", "the newest launch (also the default)")
      .option("--rollout <stamp>", "the launch of this time, such as 20250824__12-34-56")
      .addOption(outRoot());

  program
    .command("gateway")
    .description("serve your model providers on loopback until Ctrl-C, metering and printing every call")
    .option("--port <n>", "the port; default: a free one", wholeNumber("--port"))
    .option("--record <file>", "keep all traffic there, without keys")
    .option("--replay <file>", "answer from such a recording, with no key and no network")
    .option(
      "--scripted <command>",
      "no provider: the model asks for this shell command, then is done; again: one after the other",
      collectWords,
    )
    .option(
      "--fault <kind>",
      "let calls fail: 401, 403, 429, 500, 529, cut, garbage, slow, dns (429@3: from the third on)",
    )
    .option("--cache <folder>", "answer the same request from there, and keep new answers")
    .option(
      "--sample <n>",
      "with --cache: which answer to the same request to give",
      wholeNumber("--sample"),
      0,
    )
    .option("--max-calls <n>", "refuse calls after this many", wholeNumber("--max-calls"))
    .option("--max-tokens <n>", "refuse calls after this many tokens", wholeNumber("--max-tokens"))
    .option("--max-cost <usd>", "refuse calls that could bring the total above this", amount("--max-cost"))
    .option("--per-minute <n>", "let at most this many calls start per minute", wholeNumber("--per-minute"))
    .option("--at-once <n>", "let at most this many calls run in parallel", wholeNumber("--at-once"))
    .option("--prices <file>", "prices of models that the price table doesn't have")
    .option("--metrics <port>", "serve OpenMetrics for Prometheus: PORT, or HOST:PORT", metricsAddress)
    .addOption(json())
    .addHelpText("after", examples("gateway"))
    .action(async (options) => (await import("./gateway.ts")).gateway(options));

  const agents = program
    .command("agents")
    .description("coding agents: which are installed, in which version; install more")
    .addOption(json())
    .addHelpText("after", examples("agents"))
    .action(async (options) => (await import("./agents.ts")).listAgents(options));
  agents
    .command("install")
    .description("install agents from the npm registry into Assay's own folder (about 100 MB each)")
    .argument("<name...>", "codex, claude, ...; codex@0.166.0 or codex@latest is another version")
    .addOption(json())
    .action(async (names, _, command) =>
      (await import("./agents.ts")).installAgents(names, command.optsWithGlobals()),
    );

  const tasks = program
    .command("tasks")
    .description(
      "check whether tasks can be trusted; make them of a table; list and remove their container images",
    )
    .addHelpText("after", examples("tasks"));
  tasks
    .command("check")
    .description(
      "check each task: its oracle solves it, doing nothing and ending early don't, five grades agree, nothing leaks",
    )
    .argument("<dir...>", "tasks, or folders of tasks")
    .option("--jobs <n>", "rollouts at the same time; default: 2", wholeNumber("--jobs"))
    .option("--sandbox <name>", "where they run; default: auto")
    .option("--fresh", "start over instead of resuming a check that stopped")
    .addOption(quiet())
    .addOption(json())
    .addHelpText("after", examples("tasks"))
    .action(async (dirs, options) => (await import("./tasks.ts")).checkTasks(dirs, options));

  tasks
    .command("split")
    .description("make a task's folder of each instance of a table like SWE-bench's (JSONL, CSV, Parquet)")
    .argument("<file>", "instances: repo, base_commit, problem_statement, test_patch, FAIL_TO_PASS, ...")
    .argument("<dir>", "where the folders go")
    .addOption(json())
    .addHelpText("after", examples("split"))
    .action(async (file, dir, _, command) =>
      (await import("./split-instances.ts")).splitInstances(file, dir, command.optsWithGlobals()),
    );

  tasks
    .command("images")
    .description("list the container images built for tasks, and remove unused ones")
    .option(
      "--older-than <time>",
      "remove images unused for this long, such as 30d",
      timeSpan("--older-than"),
    )
    .option("--keep-gb <n>", "then remove the longest unused until this much is left", amount("--keep-gb"))
    .addOption(json())
    .addHelpText("after", examples("images"))
    .action(async (_, command) => (await import("./images.ts")).images(command.optsWithGlobals()));

  launch("summarize", "summarize rollouts: by run, by task and model, pass@k, cost and time per solve")
    .addOption(new Option("--format <kind>", "csv: one row per rollout").choices(["table", "csv", "json"]))
    .addOption(json())
    .addHelpText("after", examples("summarize"))
    .action(async (name, options) => (await import("./summarize.ts")).summarize(name, options));
}
