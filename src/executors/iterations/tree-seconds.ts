import { readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/** Processor time of this process and of shells with all that they have waited for, in seconds. Linux only. */
export function treeSeconds(pids: readonly number[]): number {
  const { user, system } = process.cpuUsage();
  let total = (user + system) / 1e6;
  for (const pid of pids) {
    try {
      // After the name, which may hold anything: fields 14 to 17 are utime, stime, cutime and cstime.
      const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)!.split(" ");
      for (const field of fields.slice(11, 15)) total += Number(field) / TICKS_PER_SECOND;
    } catch {
      // It is gone.
    }
  }
  return total;
}
