import { sleep } from "./clock.ts";
import { listPids, readEnviron } from "./processes.ts";

export interface MarkedProcess {
  pid: number;
  runId: string;
  /** Who launched it, where several runners share a study. */
  runner: string | undefined;
}

/**
 * The processes that carry a study's marker in their environment, wherever they moved: out of their group, out
 * of their session, away from their parent. Linux only; elsewhere the process group has to do.
 */
function findMarked(studyDir: string): MarkedProcess[] {
  const marker = `ASSAY_STUDY_DIR=${studyDir}\0`;
  const found: MarkedProcess[] = [];
  for (const pid of listPids()) {
    if (pid === process.pid) continue;
    const environ = readEnviron(pid);
    if (environ.includes(`\0${marker}`)) {
      const runId = /\0ASSAY_RUN_ID=([^\0]*)/.exec(environ)?.[1] ?? "";
      found.push({ pid, runId, runner: /\0ASSAY_RUNNER=([^\0]*)/.exec(environ)?.[1] });
    } else {
      const outer = readWithin(/\0ASSAY_WITHIN=([^\0]*)/.exec(environ)?.[1]);
      const mark = outer.find((one) => one.studyDir === studyDir);
      if (mark) found.push({ pid, runId: mark.runId, runner: mark.runner });
    }
  }
  return found;
}

/** Marks what a study starts. A study that is itself run by another one leaves that one's marks in place. */
export function marksOf(studyDir: string): Record<string, string> {
  const { ASSAY_STUDY_DIR, ASSAY_RUN_ID = "", ASSAY_RUNNER, ASSAY_WITHIN } = process.env;
  if (ASSAY_STUDY_DIR === undefined || ASSAY_STUDY_DIR === studyDir) return { ASSAY_STUDY_DIR: studyDir };
  const outer: OuterMark = { studyDir: ASSAY_STUDY_DIR, runId: ASSAY_RUN_ID, runner: ASSAY_RUNNER };
  return {
    ASSAY_STUDY_DIR: studyDir,
    ASSAY_WITHIN: JSON.stringify([...readWithin(ASSAY_WITHIN), outer]),
  };
}

/** A run of another study, within which a process was started. */
interface OuterMark extends Omit<MarkedProcess, "pid"> {
  studyDir: string;
}

function readWithin(text: string | undefined): OuterMark[] {
  if (text === undefined) return [];
  try {
    return JSON.parse(text) as OuterMark[];
  } catch {
    return [];
  }
}

/** Whose processes: one runner's, where several share a study; else all of the study's. */
interface Scope {
  studyDir: string;
  env?: Record<string, string>;
}

/** What the environment of a cluster's task says of who launched it. */
export const SLURM_RUNNER = "slurm:";

/** Of a task that a cluster runs, perhaps on this very machine: it outlives the launch that submitted it. */
export function isClusters({ runner }: MarkedProcess): boolean {
  return runner?.startsWith(SLURM_RUNNER) ?? false;
}

/** Kills marked processes until none is left; gives how many it met. `spare` says which may live. */
export async function reapMarked(scope: Scope, spare: (found: MarkedProcess) => boolean): Promise<number> {
  const own = scope.env?.ASSAY_RUNNER;
  const met = new Set<number>();
  for (let round = 0; round < 50; round++) {
    const rest = findMarked(scope.studyDir).filter(
      (found) => (own === undefined || found.runner === own) && !spare(found),
    );
    if (rest.length === 0) break;
    for (const { pid } of rest) {
      met.add(pid);
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended by itself.
      }
    }
    await sleep(10);
  }
  return met.size;
}
