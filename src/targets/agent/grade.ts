import { errorText } from "../../core/errors.ts";
import type { FileTree, Sandbox, TreeRest } from "../../sandboxes/sandbox.ts";
import { applyPatch } from "./patch/apply-patch.ts";
import { differenceOf, makeProof, readReport } from "./proof.ts";
import type { AgentTask } from "./tasks/task.ts";

export interface Grade {
  isSolved: boolean;
  /** What the tests printed, or why they did not run. */
  report: string;
}

const TIMEOUT_MS = 60_000;
const REPORT_BYTES = 20_000;

/**
 * Whether a patch solves a task: applied to a fresh copy, with the tests as they were and those that the agent never
 * saw, the check ends well. So no change to a test, and nothing that was left running, can make a difference.
 */
export async function grade(
  task: AgentTask,
  patch: string | null,
  { sandbox, parentDir, signal }: { sandbox: Sandbox; parentDir: string | null; signal: AbortSignal },
): Promise<Grade> {
  if (!patch)
    return { isSolved: false, report: patch === null ? "nothing was submitted" : "the patch is empty" };
  let patched: FileTree;
  try {
    patched = applyPatch(task.files, patch);
  } catch (error) {
    return { isSolved: false, report: errorText(error) };
  }
  const kept = [...patched].filter(([path]) => !path.startsWith("check/"));
  const tests = [...task.files].filter(([path]) => path.startsWith("test/"));
  const proof = task.answers === undefined ? undefined : makeProof();
  const files = new Map([...kept, ...tests, ...task.checkFiles, ...Object.entries(proof?.files ?? {})]);
  const workspace = await sandbox.open(files, { parentDir, rest: bothRests(task) });
  try {
    const limits = { timeoutMs: TIMEOUT_MS, outputBytes: REPORT_BYTES, signal };
    for (const command of [task.check, task.test]) {
      const { output, exitCode } = await workspace.run(command, limits);
      if (proof && command === task.check) {
        const report = readReport(output, proof);
        if (exitCode === 0 && report !== undefined && differenceOf(report, task.answers) === undefined)
          continue;
        return { isSolved: false, report: wrongReport(output, report, task.answers) };
      }
      const isWhole = task.passes === undefined || output.trimEnd().split("\n").at(-1) === task.passes;
      if (exitCode !== 0 || !isWhole) return { isSolved: false, report: output };
    }
    return { isSolved: true, report: "" };
  } finally {
    await workspace.close();
  }
}

/** What the check printed, and what is wrong with that. */
function wrongReport(output: string, report: string | undefined, answers: unknown): string {
  const why = report === undefined ? "the check ended without its proof" : differenceOf(report, answers);
  return [output.trimEnd(), why].filter(Boolean).join("\n");
}

function bothRests({ rest, checkRest }: AgentTask): TreeRest | undefined {
  if (!rest || !checkRest) return rest ?? checkRest;
  return {
    copies: new Map([...rest.copies, ...checkRest.copies]),
    links: new Map([...rest.links, ...checkRest.links]),
    executables: new Set([...rest.executables, ...checkRest.executables]),
  };
}
