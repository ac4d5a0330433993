import type { Command } from "commander";
import { UserError } from "../core/errors.ts";
import { examples } from "./examples.ts";
import { amount, anyNumber, wholeNumber } from "./read-option.ts";
import { json } from "./shared-options.ts";

/** What reads the records of agents, whoever wrote them. */
export function addTrajectoryCommands(program: Command): void {
  const traj = program
    .command("traj")
    .description("summarize agents' trajectories: turns, tokens, cost and exits")
    .argument("<path...>", "trajectories, or folders of them")
    .option("--table", "one row per file, however many there are")
    .option("--csv [file]", "write one row per file as CSV, to a file or to the terminal")
    .option("--to <words...>", "convert one trajectory: --to atif FILE, --to swe-agent FILE")
    .option("--strict", "exit 1 when a file is broken")
    .addOption(json())
    .addHelpText("after", examples("traj"))
    .action(async (paths, options) => (await import("./traj.ts")).traj(paths, options));

  traj
    .command("replay")
    .description("estimate prompts and cost under another context strategy, without a model")
    .argument("<path...>", "trajectories, or folders of them")
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
      const { json: isJson, ...others } = traj.opts();
      const foreign = Object.keys(others);
      if (foreign.length > 0) throw new UserError(`replay has no option --${foreign[0]}`);
      const module = await import("./traj-replay.ts");
      await module.trajReplay(paths, { ...replay.opts(), json: isJson });
    });
}
