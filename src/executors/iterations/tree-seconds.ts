import { readStat, TICKS_PER_SECOND } from "../../host/processes.ts";

/** Processor time of this process and of shells with all that they have waited for, in seconds. Linux only. */
export function treeSeconds(pids: readonly number[]): number {
  const { user, system } = process.cpuUsage();
  let total = (user + system) / 1e6;
  for (const pid of pids) total += (readStat(pid)?.cpuTicks ?? 0) / TICKS_PER_SECOND;
  return total;
}
