import { hostname } from "node:os";
import { readStat } from "./proc-stat.ts";

/** This process, told from a later one with its number: part of the names of folders that should not outlive it. */
export function ownerTag(): string {
  return `${hostname()}.${process.pid}.${readStat(process.pid)?.startedAt ?? ""}`;
}

/** Whether a tag is that of a process of this machine that is gone. */
export function isAbandoned(tag: string): boolean {
  const [, host, pid, startedAt] = /^(.*)\.(\d+)\.(\d*)$/.exec(tag) ?? [];
  if (host !== hostname()) return false;
  return startedAt === "" ? !isAlive(Number(pid)) : readStat(Number(pid))?.startedAt !== startedAt;
}

/** Whether a process with this number lives, whoever's it is. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
