import { readdirSync, readFileSync } from "node:fs";
import { waitFor } from "./wait-for.ts";

/** Processes that carry the marker of a study below a folder, wherever they moved. Not the runner itself. */
export function processesIn(dir: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter(
      (pid) => Number.isInteger(pid) && environOf(pid).includes(`\0ASSAY_STUDY_DIR=${dir}`) && isAlive(pid),
    );
}

/** Processes that have this entry in their environment, or this text in what they were called with. */
export function processesWith(text: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid && isAlive(pid))
    .filter((pid) => environOf(pid).includes(`\0${text}`) || wordsOf(pid).includes(text));
}

/** A zombie that nobody has waited for yet is not alive. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

export async function killAll(find: () => number[]): Promise<void> {
  await waitFor("processes to end", () => {
    const rest = find();
    for (const pid of rest) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended by itself.
      }
    }
    return rest.length === 0;
  });
}

function environOf(pid: number): string {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}`;
  } catch {
    return "";
  }
}

function wordsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}
