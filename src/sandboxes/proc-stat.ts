import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { type ProcStat, parseStat } from "../core/parse-stat.ts";

/** A process of this machine. */
export interface LiveStat extends ProcStat {
  pid: number;
}

/** Every process of the machine; none where there is no /proc. */
export function listProcesses(): LiveStat[] {
  let names: string[];
  try {
    names = readdirSync("/proc");
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const pid = Number(name);
    return Number.isInteger(pid) ? (readStat(pid) ?? []) : [];
  });
}

export function readStat(pid: number): LiveStat | undefined {
  const text = readLine(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  return { pid, ...parseStat(text) };
}

const line = Buffer.alloc(4096);

/** With as few calls as possible: a machine has many processes, and they are all looked at. */
function readLine(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    return line.toString("latin1", 0, readSync(file, line));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** A process's environment with a NUL around each entry; empty where it can't be read, or between two programs. */
export function readEnviron(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/environ`, "latin1");
    return text === "" ? "" : `\0${text}\0`;
  } catch {
    return "";
  }
}

/** A process's memory with shared pages split among those who share them, where the kernel tells; 0 once it has gone. */
export function proportionalBytes(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "latin1");
    return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
  } catch {
    return (readStat(pid)?.rssPages ?? 0) * pageBytes();
  }
}

const AT_PAGESZ = 6n;
let knownPageBytes: number | undefined;

export function pageBytes(): number {
  knownPageBytes ??= readPageBytes();
  return knownPageBytes;
}

function readPageBytes(): number {
  try {
    const words = readFileSync("/proc/self/auxv");
    for (let at = 0; at + 16 <= words.length; at += 16)
      if (words.readBigUInt64LE(at) === AT_PAGESZ) return Number(words.readBigUInt64LE(at + 8));
  } catch {
    // The usual size then.
  }
  return 4096;
}
