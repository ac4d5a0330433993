import { Argument, Command } from "commander";
import { PROGRAM_VERSION } from "../host/environment.ts";
import { addBenchmarkCommands } from "./benchmark-commands.ts";
import { addRolloutCommands } from "./coding-commands.ts";
import { examples } from "./examples.ts";
import { json } from "./read-option.ts";
import { addImportCommands, addReadingCommands, addTrajectoryCommands } from "./reading-commands.ts";
import { addFleetCommands, addRunningCommands } from "./running-commands.ts";
import { addStatisticsCommands } from "./statistics-commands.ts";

export { OLD_NAMES } from "./old-names.ts";

/** The commands; what one of them needs loads only when it is called, so that --help stays instant. */
export function createProgram(): Command {
  const program = new Command("assay")
    .description("Runs experiments on agent systems and tells you which differences are real.")
    .version(PROGRAM_VERSION)
    .exitOverride()
    .showSuggestionAfterError()
    // Names alone leave room for what they do; options wrap on narrow terminals, too.
    .configureHelp({ subcommandTerm: (command) => command.name(), minWidthToWrap: 20 })
    // `main` prints mistakes, all in one style.
    .configureOutput({ outputError: () => {} })
    .addHelpText("after", examples("assay"));
  addRunningCommands(program);
  addFleetCommands(program);
  addReadingCommands(program);
  addStatisticsCommands(program);
  addTrajectoryCommands(program);
  addRolloutCommands(program);
  addImportCommands(program);
  addBenchmarkCommands(program);

  program
    .command("doctor")
    .description("check what is installed, what is missing and how to get it")
    .option(
      "--agents",
      "try each installed coding agent with one call to a stand-in for its model; costs nothing",
    )
    .addOption(json())
    .action(async (options) => (await import("./doctor.ts")).doctor(options));

  program
    .command("setup")
    .description(
      "print what other programs need: a JSON Schema for your editor, completion for your shell, the path of assay.py for Python",
    )
    .addArgument(
      new Argument("<what>", "schema, python, or a shell for its completion script").choices([
        ...["schema", "bash", "zsh", "fish", "python"],
      ]),
    )
    .argument("[target]", "with schema: also the parameters of this target")
    .addHelpText("after", examples("setup"))
    .action(async (what, target) => (await import("./setup.ts")).setup(what, target, createProgram()));

  program
    .command("__values", { hidden: true })
    .description("words that a shell may complete")
    .argument("<kind>", "study, metric, by, or an option that names an arm")
    .argument("[study]", "of which study")
    .action(async (kind, name) => (await import("./completion.ts")).values(kind, name));
  program.addHelpCommand(
    new Command("help").argument("[command]").description("more about a command").helpGroup("Start:"),
  );
  return inGroups(program);
}

/** What the list of commands says of each; their own help says more. */
const GROUPS: Record<string, Record<string, string>> = {
  Start: {
    try: "run your own program and see which differences are real",
    init: "write your first study file",
    new: "write your first target or instrument",
    list: "show targets, dialects, instruments, executors",
    doctor: "check what is installed and what is missing",
    setup: "print what your editor, shell or notebook needs",
  },
  Run: {
    run: "run a study, or resume it where it stopped",
    plan: "show what a study would run",
    score: "score stored outputs again, run nothing",
    lock: "fix question and rules before the first run",
    time: "time command lines in turns, and see which is faster",
    pause: "start no more runs of a running study",
    resume: "continue a paused study",
    cancel: "end a running study, or one of its runs",
  },
  Look: {
    status: "how far a study is, and why runs failed",
    attach: "follow a running study until it ends",
    show: "everything about one run",
    ui: "serve the live page of all studies",
    report: "write the report, or one chart",
    query: "query the results in SQL",
    export: "write runs, series and instances to files",
  },
  Decide: {
    compare: "which is better, by how much, and how sure that is",
    rank: "order the arms, and see which can't be told apart",
    power: "how many seeds or tasks you need",
    best: "the best points of a search",
    confirm: "measure the best points again, on fresh seeds",
    history: "how a metric changed over the commits",
  },
  Agents: {
    agent: "run the language-model agent once",
    gateway: "meter, limit, record and replay any program's model calls",
    agents: "which coding agents are installed; install more",
    traj: "what agents did: turns, tokens, cost, exits",
    summarize: "solve rates, pass@k and cost of coding agents",
    eval: "grade recorded patches again",
    tasks: "check whether tasks can be trusted",
    images: "container images of tasks: list and remove them",
    import: "read results of Harbor, SWE-bench, Inspect, ...",
  },
  "Many machines": {
    sweep: "make or change a sweep that workers share",
    worker: "run what a sweep or a queue has to do",
    fleet: "see and steer the workers of a queue",
  },
  Simulators: {
    sim: "run the scheduler simulator once",
    recommend: "find a good configuration for this machine",
  },
};

/** In the order of the groups, which is that of a first week with the program. */
function inGroups(program: Command): Command {
  const commands = program.commands as Command[];
  const names = Object.values(GROUPS).flatMap((group) => Object.keys(group));
  commands.sort((a, b) => names.indexOf(a.name()) - names.indexOf(b.name()));
  for (const [group, members] of Object.entries(GROUPS))
    for (const [name, summary] of Object.entries(members))
      commands
        .find((command) => command.name() === name)!
        .summary(summary)
        .helpGroup(`${group}:`);
  return program;
}
