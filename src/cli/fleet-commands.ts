import { Argument, type Command } from "commander";
import { examples } from "./examples.ts";
import { json } from "./shared-options.ts";

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
