import { isAlive, thisProcess } from "../host/processes.ts";

/** This process, told from a later one with its number: part of the names of folders that should not outlive it. */
export function ownerTag(): string {
  const { host, pid, birth } = thisProcess();
  return `${host}.${pid}.${birth}`;
}

/** Whether a tag is that of a process of this machine that is gone. */
export function isAbandoned(tag: string): boolean {
  const match = /^(.*)\.(\d+)\.(\d*)$/.exec(tag);
  return match !== null && !isAlive({ host: match[1]!, pid: Number(match[2]), birth: match[3]! });
}
