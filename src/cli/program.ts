import { Argument, Command } from "commander";
import { PROGRAM_VERSION } from "../host/package.ts";
import { addBenchmarkCommands } from "./benchmark-commands.ts";
import { addRolloutCommands } from "./coding-commands.ts";
import { examples } from "./examples.ts";
import { addFleetCommands } from "./fleet-commands.ts";
import { addImportCommands } from "./import-commands.ts";
import { addReadingCommands } from "./reading-commands.ts";
import { addRunningCommands } from "./running-commands.ts";
import { json } from "./shared-options.ts";
import { addStatisticsCommands } from "./statistics-commands.ts";
import { addTrajectoryCommands } from "./trajectory-commands.ts";

/** The commands; what one of them needs loads only when it is called, so that --help stays instant. */
export function createProgram(): Command {
  const program = new Command("assay")
    .description("Runs experiments on agent systems and tells you which differences are real.")
    .version(PROGRAM_VERSION)
    .exitOverride()
    .showSuggestionAfterError()
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
