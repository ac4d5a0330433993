import { Argument, Command, Help } from "commander";
import { UserError } from "../core/errors.ts";
import { nearest } from "../core/suggest.ts";
import { PROGRAM_VERSION } from "../host/environment.ts";
import { addBenchmarkCommands } from "./benchmark-commands.ts";
import { addRolloutCommands } from "./coding-commands.ts";
import { examples } from "./examples.ts";
import { inNewWords } from "./old-names.ts";
import { json } from "./read-option.ts";
import {
  addImportCommands,
  addReadingCommands,
  addSharingCommands,
  addTrajectoryCommands,
} from "./reading-commands.ts";
import { addFleetCommands, addRunningCommands } from "./running-commands.ts";
import { addStatisticsCommands } from "./statistics-commands.ts";
import { prose } from "./terminal.ts";

export { OLD_NAMES } from "./old-names.ts";

/** Stands for a command that nobody asks more of than its name: takes all that is said of it, and keeps nothing. */
const UNASKED = new Proxy({} as Command, { get: () => () => UNASKED });

/**
 * The commands; what one of them needs loads only when it is called, so that --help stays instant. With the first word of
 * a command line, only the command that it names has its options: to make those of all takes longer than to find one.
 */
export function createProgram(asked?: string): Command {
  let listsAll = false;
  const program: Command = new Command("assay")
    .description("Runs experiments on agent systems and tells you which differences are real.")
    .version(PROGRAM_VERSION)
    .exitOverride()
    .showSuggestionAfterError()
    // Names alone leave room for what they do; options wrap on narrow terminals, too.
    .configureHelp({
      subcommandTerm: (command) => command.name(),
      minWidthToWrap: 20,
      visibleCommands(command) {
        const all = Help.prototype.visibleCommands.call(this, command);
        return command === program && !listsAll ? all.filter((one) => !(one.name() in MORE)) : all;
      },
    })
    // `main` prints mistakes, all in one style.
    .configureOutput({ outputError: () => {} })
    .addHelpText("after", () => (listsAll ? "" : MORE_TEXT))
    .addHelpText("after", examples("assay"))
    .helpCommand(false);
  if (asked !== undefined && asked !== "help") {
    const add = program.command.bind(program) as (...declared: unknown[]) => Command;
    program.command = (...declared: unknown[]) => {
      const command = add(...declared);
      return command.name() === asked ? command : UNASKED;
    };
  }
  addRunningCommands(program);
  addFleetCommands(program);
  addReadingCommands(program);
  addSharingCommands(program);
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
    .option("--plugin <file>", "check that a plugin of yours does what its family promises")
    .option("--file <path...>", "with --plugin: results that an importer should read")
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
    .argument(
      "[target]",
      "with schema: also the parameters of this target; or study.json, journal.jsonl, run.json, status.json, push.json, pull.json, error.json: what Assay writes",
    )
    .addHelpText("after", examples("setup"))
    .action(async (what, target) => (await import("./setup.ts")).setup(what, target, createProgram()));

  program
    .command("__values", { hidden: true })
    .description("words that a shell may complete")
    .argument("<kind>", "study, metric, by, or an option that names an arm")
    .argument("[study]", "of which study")
    .action(async (kind, name) => (await import("./completion.ts")).values(kind, name));
  program
    .command("help")
    .description("show the help of a command, or list every command")
    .argument("[command...]", "a command; `all` lists every command")
    .action((words: string[]) => {
      listsAll = words.length === 1 && words[0] === "all";
      (listsAll ? program : named(program, words)).outputHelp();
    });
  return inGroups(program);
}

/** The command that words such as `tasks check` name. */
function named(program: Command, words: readonly string[]): Command {
  const today = inNewWords(words).words.filter((word) => !word.startsWith("-"));
  return today.reduce((command, word) => {
    const found = command.commands.find((one) => one.name() === word);
    if (found !== undefined) return found;
    const known = command.commands.map((one) => one.name());
    const [guess] = nearest(word, known, 1);
    throw new UserError(`there is no command "${word}"`, {
      remedy:
        guess === undefined
          ? "`assay help all` lists every command."
          : `Did you mean \`assay help ${guess}\`?`,
    });
  }, program);
}

/** What the list of commands says of each; their own help says more. */
const GROUPS: Record<string, Record<string, string>> = {
  Start: {
    try: "run your own program and see which differences are real",
    init: "write your first study file, target or instrument",
    list: "show targets, dialects, instruments, executors",
    doctor: "check what is installed and what is missing",
    help: "more about a command; `help all` lists every command",
  },
  Run: {
    run: "run a study, or resume it where it stopped",
    plan: "show what a study would run",
    time: "time command lines in turns, and see which is faster",
    cancel: "end a running study, or one of its runs",
  },
  Look: {
    status: "how far a study is, and why runs failed; one run in full",
    ui: "serve the live page of all studies",
    report: "write the report, or one chart",
    query: "query the results in SQL",
    note: "write down what you say of a run or a task",
    export: "write runs, series and instances to files",
  },
  Decide: {
    compare: "which is better, by how much, and how sure that is",
    rank: "order the arms, and see which can't be told apart",
    power: "how many seeds or tasks you need",
    best: "the best points of a search",
    history: "how a metric changed over the commits",
  },
  Agents: {
    gateway: "meter, limit, record and replay any program's model calls",
    agents: "which coding agents are installed; install more",
    traj: "what agents did: turns, tokens, cost, exits",
    tasks: "check whether tasks can be trusted; their container images",
    import: "read results of Harbor, SWE-bench, Inspect, ...",
  },
  "Many machines": {
    sweep: "make or change a sweep that workers share",
    worker: "run what a sweep or a queue has to do",
    fleet: "see and steer the workers of a queue",
  },
};

/** What few need at the start: `assay --help` names them, `assay help all` says what they do. */
const MORE: Record<string, string> = {
  setup: "print what your editor, shell or notebook needs",
  lock: "fix question and rules before the first run",
  pause: "start no more runs of a running study",
  resume: "continue a paused study",
  adjust: "change jobs and limits of a running study",
  score: "score stored outputs again, run nothing",
  judge: "what a judge on all runs and labels on some say together",
  push: "send a study to your team: S3, ssh or a folder",
  pull: "fetch and merge studies that others pushed",
  show: "everything about one run, found by its id alone",
  confirm: "measure the best points of a search again, on fresh seeds",
  summarize: "solve rates, pass@k and cost of coding agents",
  agent: "run the language-model agent once",
  sim: "run the scheduler simulator once",
  recommend: "find a good configuration for this machine",
};
const MORE_TEXT = `\nMore commands, explained by \`assay help all\`:\n${prose(`  ${Object.keys(MORE).join(" ")}`, 60)}`;

/** In the order of the groups, which is that of a first week with the program. */
function inGroups(program: Command): Command {
  const commands = program.commands as Command[];
  const groups = { ...GROUPS, More: MORE };
  const names = Object.values(groups).flatMap((group) => Object.keys(group));
  commands.sort((a, b) => names.indexOf(a.name()) - names.indexOf(b.name()));
  for (const [group, members] of Object.entries(groups))
    for (const [name, summary] of Object.entries(members))
      commands
        .find((command) => command.name() === name)!
        .summary(summary)
        .helpGroup(`${group}:`);
  return program;
}
