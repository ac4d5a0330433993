import { type Command, Option } from "commander";
import { examples } from "./examples.ts";
import { json, outRoot } from "./shared-options.ts";

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
        "--missing <as>",
        "failed: tasks that others tried, and tries without a verdict, count as failed",
      ).choices(["failed"]),
    )
    .addOption(outRoot())
    .addOption(json())
    .addHelpText("after", examples("import"))
    .action(async (paths, options) => (await import("./import.ts")).importCommand(paths, options));
}
