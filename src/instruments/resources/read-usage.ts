import { readdirSync, readFileSync } from "node:fs";
import { pageBytes, parseStat, TICKS_PER_SECOND } from "../../host/processes.ts";

/** What a process and all that it started use. */
export interface Usage {
  cpuSeconds: number;
  rssBytes: number;
  /** The highest that the kernel saw of the first process. */
  peakRssBytes: number;
  readBytes: number;
  writeBytes: number;
  processes: number;
}

/**
 * Usage of a process and its descendants, from /proc. Time and bytes of those that have ended and were waited for
 * are in their parents' numbers. Null where there is no /proc, or the process is gone.
 */
export function readUsage(pid: number | "self"): Usage | null {
  const usage: Usage = {
    cpuSeconds: 0,
    rssBytes: 0,
    peakRssBytes: 0,
    readBytes: 0,
    writeBytes: 0,
    processes: 0,
  };
  const open: (number | "self")[] = [pid];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!add(next, usage)) continue;
    usage.processes++;
    open.push(...childrenOf(next));
  }
  return usage.processes === 0 ? null : usage;
}

function add(pid: number | "self", usage: Usage): boolean {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return false;
  usage.cpuSeconds += parseStat(stat).cpuTicks / TICKS_PER_SECOND;
  usage.rssBytes += Number((read(`/proc/${pid}/statm`) ?? "0 0").split(" ")[1]) * pageBytes();
  if (usage.processes === 0) {
    const peakKb = /^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`) ?? "")?.[1] ?? 0;
    usage.peakRssBytes = Number(peakKb) * 1024;
  }
  const io = read(`/proc/${pid}/io`) ?? "";
  usage.readBytes += Number(/^read_bytes: (\d+)/m.exec(io)?.[1] ?? 0);
  usage.writeBytes += Number(/^write_bytes: (\d+)/m.exec(io)?.[1] ?? 0);
  return true;
}

function childrenOf(pid: number | "self"): number[] {
  const children: number[] = [];
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const text = read(`/proc/${pid}/task/${thread}/children`) ?? "";
      for (const child of text.split(" ")) if (child !== "") children.push(Number(child));
    }
  } catch {
    // It is gone.
  }
  return children;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}
