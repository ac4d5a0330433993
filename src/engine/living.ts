import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { parseStat } from "../core/parse-stat.ts";

/** A process that can be told from another one that got the same number later. */
export interface Living {
  pid: number;
  host: string;
  /** When the kernel started it, in its own ticks; "" where it does not tell. */
  birth: string;
}

export function thisProcess(): Living {
  return { pid: process.pid, host: hostname(), birth: birthOf(process.pid) };
}

/** Whether it still runs. Of another machine's nobody here can tell: they count as alive. */
export function isAlive({ pid, host, birth }: Living): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return birth === "" || birthOf(pid) === birth;
}

/** As a word in the environment of its children, so that whoever finds one can tell whether its runner lives. */
export function markOf({ pid, host, birth }: Living): string {
  return [pid, birth, host].join("@");
}

export function readMark(mark: string): Living | undefined {
  const match = /^(\d+)@([^@]*)@(.*)$/.exec(mark);
  return match ? { pid: Number(match[1]), birth: match[2]!, host: match[3]! } : undefined;
}

/** A zombie is dead. */
function birthOf(pid: number): string {
  try {
    const { isDead, startedAt } = parseStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
    return isDead ? "dead" : startedAt;
  } catch {
    return "";
  }
}
