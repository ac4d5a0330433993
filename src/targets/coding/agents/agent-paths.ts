import { type SeenPaths, seenPaths } from "../seen-paths.ts";
import type { AgentJob } from "./agent.ts";

/** The repository is where the task's texts believe it to be, as far as the sandbox can do that. */
export function agentPaths({ task, places: { repo, outDir, homeDir }, sandbox }: AgentJob): SeenPaths {
  const wanted = new Map([
    [repo, task.workDir],
    [outDir, null],
    [homeDir, null],
  ]);
  return seenPaths(wanted, sandbox);
}
