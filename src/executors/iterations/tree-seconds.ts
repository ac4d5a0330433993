import { readFileSync } from "node:fs";
import { parseStat, TICKS_PER_SECOND } from "../../core/parse-stat.ts";

/** Processor time of this process and of shells with all that they have waited for, in seconds. Linux only. */
export function treeSeconds(pids: readonly number[]): number {
  const { user, system } = process.cpuUsage();
  let total = (user + system) / 1e6;
  for (const pid of pids) {
    try {
      total += parseStat(readFileSync(`/proc/${pid}/stat`, "latin1")).cpuTicks / TICKS_PER_SECOND;
    } catch {
      // It is gone.
    }
  }
  return total;
}
