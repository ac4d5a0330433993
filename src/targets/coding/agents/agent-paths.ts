import { type SeenPaths, seenPaths } from "../seen-paths.ts";
import type { AgentJob } from "./agent.ts";

/** Where a sandbox with a file system of its own shows a run's folders. */
const SHOWN = { repo: "/workspace/repo", outDir: "/workspace/out", homeDir: "/workspace/home" };

/**
 * A task in its own image has its repository there, and nothing is shown in its place. Else it is where the task's texts believe it to be, as far as the sandbox can do that. Else all runs see the same
 * paths where it can show folders elsewhere: an agent then asks the same twice.
 */
export function agentPaths({ task, places: { repo, outDir, homeDir }, sandbox }: AgentJob): SeenPaths {
  if (task.machine) {
    const { workDir } = task.machine;
    const seen = seenPaths(
      new Map([
        [outDir, SHOWN.outDir],
        [homeDir, SHOWN.homeDir],
      ]),
      sandbox,
    );
    return { ...seen, inside: (path) => (path === repo ? workDir : seen.inside(path)) };
  }
  const isFree = sandbox.isolates.includes("files");
  const wanted = new Map([
    [repo, task.workDir ?? (isFree ? SHOWN.repo : null)],
    [outDir, isFree ? SHOWN.outDir : null],
    [homeDir, isFree ? SHOWN.homeDir : null],
  ]);
  return seenPaths(wanted, sandbox);
}
