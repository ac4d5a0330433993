import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { waitFor } from "./wait-for.ts";

/** Whether a program is there, and ends well with these words. */
export function canRun(program: string, ...words: string[]): boolean {
  try {
    execFileSync(program, words, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Processes that carry the marker of a study below a folder, wherever they moved. Not the runner itself. */
export function processesIn(dir: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter(
      (pid) => Number.isInteger(pid) && environOf(pid).includes(`\0ASSAY_STUDY_DIR=${dir}`) && isAlive(pid),
    );
}

/** Processes that have each of these texts as an entry of their environment, or in what they were called with. */
export function processesWith(...texts: string[]): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid && isAlive(pid))
    .filter((pid) => {
      const [environ, words] = [environOf(pid), wordsOf(pid)];
      return texts.every((text) => environ.includes(`\0${text}`) || words.includes(text));
    });
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
