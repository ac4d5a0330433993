import { copyFileSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorText } from "../../../../core/errors.ts";
import { RunFailure } from "../../../../core/run.ts";
import { interpreterOf } from "../../interpreter.ts";
import { renameInFolder } from "../../seen-paths.ts";
import { type AgentJob, type AgentPreset, NO_USAGE } from "../agent.ts";
import { agentPaths } from "../agent-home.ts";
import { createProgramAgent } from "../program-agent.ts";

/** Harnesses that start a solution with bash, also one that doesn't begin with how it is to be started. */
const BY_BASH = ["harbor", "terminal-bench"];

/** Where solutions find themselves in the image of their task. */
const IN_IMAGE = "/solution";

/** A task that it does not solve is broken, or its tests are. */
export const oracle: AgentPreset = {
  name: "oracle",
  description: "applies the task's own solution: whether the tests accept what they should",
  create: () => ({
    name: "oracle",
    async work(job) {
      const command = solutionWords(job);
      const { machine, solution, limits } = job.task;
      const solver = createProgramAgent({
        ...{ name: "oracle", command, env: solution?.env ?? {} },
        ...(machine && { mounts: [{ path: job.places.outDir, as: IN_IMAGE }] }),
      });
      // A solution that was written for an image may install what it needs.
      const network = machine && limits.allowInternet !== false ? true : job.limits.network;
      return { ...(await solver.work({ ...job, limits: { ...job.limits, network } })), usage: NO_USAGE };
    },
  }),
};

/** The solution beside the repository, with the paths that it can use there: it never writes to its own folder. */
function solutionWords(job: AgentJob): string[] {
  const { task, places } = job;
  const { solution } = task;
  if (solution === null)
    throw new RunFailure("infrastructure", `the task ${task.id} has no solution for the oracle`);
  const file = join(places.outDir, basename(solution.path));
  try {
    // In the task's own folder its tests are beside it.
    if (solution.text !== undefined) writeFileSync(file, solution.text);
    else if (dirname(solution.path) === task.dir) copyFileSync(solution.path, file);
    else cpSync(dirname(solution.path), places.outDir, { recursive: true, verbatimSymlinks: true });
    const shell = BY_BASH.includes(task.format) ? "bash" : "sh";
    if (task.machine && solution.kind === "script")
      return [...interpreterOf(file, readFileSync(file, "utf8"), shell), `${IN_IMAGE}/${basename(file)}`];
    const seen = agentPaths(job);
    const inside = join(seen.inside(places.outDir), basename(file));
    if (solution.kind === "patch") return ["git", "apply", "--whitespace=nowarn", inside];
    renameInFolder(places.outDir, seen);
    return [...interpreterOf(file, readFileSync(file, "utf8"), shell), inside];
  } catch (error) {
    throw new RunFailure("infrastructure", `the task's solution can't be read: ${errorText(error)}`);
  }
}
