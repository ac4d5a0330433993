import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { hostname } from "node:os";
import { errorCode } from "../core/errors.ts";
import { hashText } from "../core/hash.ts";
import { sleep } from "./clock.ts";

/** A process that can be told from another one that got the same number later. */
export interface Living {
  pid: number;
  /** Within which its number means something: see `processHost`. */
  host: string;
  /** When the kernel started it, in its own ticks; "" where it does not tell. */
  birth: string;
}

export function thisProcess(): Living {
  return { pid: process.pid, host: processHost(), birth: birthOf(process.pid) };
}

/** The first namespace of processes, which every Linux numbers so. */
const FIRST_PID_NAMESPACE = "pid:[4026531836]";

/**
 * The machine's name, and in a container, whose processes have numbers of their own, also which one: two may have one
 * name.
 */
export function processHost(): string {
  const space = namespaceOf("pid");
  return space === "" || space === FIRST_PID_NAMESPACE
    ? hostname()
    : `${hostname()}~${space.replace(/\D/g, "")}`;
}

/** As Linux tells it, such as `net:[4026531840]`; empty elsewhere. */
function namespaceOf(kind: "pid" | "net"): string {
  try {
    return readlinkSync(`/proc/self/ns/${kind}`);
  } catch {
    return "";
  }
}

/** Those who share it find each other's abstract sockets: one machine, one network namespace. */
export function socketPlace(): string {
  return hashText([hostname(), machineId(), namespaceOf("net")].join("\n")).slice(0, 12);
}

function machineId(): string {
  try {
    return readFileSync("/etc/machine-id", "utf8");
  } catch {
    return "";
  }
}

/** Whether it still runs. Of another machine's nobody here can tell: they count as alive. */
export function isAlive({ pid, host, birth }: Living): boolean {
  if (host !== processHost()) return true;
  return hasProcess(pid) && (birth === "" || birthOf(pid) === birth);
}

/** Whether a process has this number, whoever's it is, and though it may be a later one than was meant. */
export function hasProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/** A zombie is dead. */
function birthOf(pid: number): string {
  const stat = readStat(pid);
  return stat?.isDead ? "dead" : (stat?.startedAt ?? "");
}

/** As a word in the environment of its children, so that whoever finds one can tell whether its runner lives. */
export function markOf({ pid, host, birth }: Living): string {
  return [pid, birth, host].join("@");
}

export function readMark(mark: string): Living | undefined {
  const match = /^(\d+)@([^@]*)@(.*)$/.exec(mark);
  return match ? { pid: Number(match[1]), birth: match[2]!, host: match[3]! } : undefined;
}

/** A process as Linux tells it in /proc/PID/stat. */
export interface ProcStat {
  parent: number;
  group: number;
  session: number;
  /** Processor time of it and of the children that it has waited for. */
  cpuTicks: number;
  /** In the kernel's ticks. With the number it tells a process from a later one of the same number. */
  startedAt: string;
  rssPages: number;
  isDead: boolean;
  isKernels: boolean;
}

/** A process of this machine. */
export interface LiveStat extends ProcStat {
  pid: number;
}

/** Every process of the machine; none where there is no /proc. */
export function listProcesses(): LiveStat[] {
  return listPids().flatMap((pid) => readStat(pid) ?? []);
}

function listPids(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

export const TICKS_PER_SECOND = 100;
const PF_KTHREAD = 0x0020_0000;

export function parseStat(text: string): ProcStat {
  // The name, in brackets, may hold anything; after it come the third field and the rest.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [utime, stime, cutime, cstime] = fields.slice(11, 15).map(Number) as [number, number, number, number];
  return {
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    cpuTicks: utime + stime + cutime + cstime,
    startedAt: fields[19]!,
    rssPages: Number(fields[21]),
    isDead: /^[ZXx]/.test(fields[0]!),
    isKernels: (Number(fields[6]) & PF_KTHREAD) !== 0,
  };
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
    const text = readFileSync(`/proc/${pid}/environ`, "utf8");
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

export interface MarkedProcess {
  pid: number;
  runId: string;
  /** Who launched it, where several runners share a study. */
  runner: string | undefined;
}

/**
 * The processes that carry a study's marker in their environment, wherever they moved: out of their group, out
 * of their session, away from their parent. Linux only; elsewhere the process group has to do.
 */
function findMarked(studyDir: string): MarkedProcess[] {
  const marker = `ASSAY_STUDY_DIR=${studyDir}\0`;
  const found: MarkedProcess[] = [];
  for (const pid of listPids()) {
    if (pid === process.pid) continue;
    const environ = readEnviron(pid);
    if (environ.includes(`\0${marker}`)) {
      const runId = /\0ASSAY_RUN_ID=([^\0]*)/.exec(environ)?.[1] ?? "";
      found.push({ pid, runId, runner: /\0ASSAY_RUNNER=([^\0]*)/.exec(environ)?.[1] });
    } else {
      const outer = readWithin(/\0ASSAY_WITHIN=([^\0]*)/.exec(environ)?.[1]);
      const mark = outer.find((one) => one.studyDir === studyDir);
      if (mark) found.push({ pid, runId: mark.runId, runner: mark.runner });
    }
  }
  return found;
}

/** Marks what a study starts. A study that is itself run by another one leaves that one's marks in place. */
export function marksOf(studyDir: string): Record<string, string> {
  const { ASSAY_STUDY_DIR, ASSAY_RUN_ID = "", ASSAY_RUNNER, ASSAY_WITHIN } = process.env;
  if (ASSAY_STUDY_DIR === undefined || ASSAY_STUDY_DIR === studyDir) return { ASSAY_STUDY_DIR: studyDir };
  const outer: OuterMark = { studyDir: ASSAY_STUDY_DIR, runId: ASSAY_RUN_ID, runner: ASSAY_RUNNER };
  return {
    ASSAY_STUDY_DIR: studyDir,
    ASSAY_WITHIN: JSON.stringify([...readWithin(ASSAY_WITHIN), outer]),
  };
}

/** A run of another study, within which a process was started. */
interface OuterMark extends Omit<MarkedProcess, "pid"> {
  studyDir: string;
}

function readWithin(text: string | undefined): OuterMark[] {
  if (text === undefined) return [];
  try {
    return JSON.parse(text) as OuterMark[];
  } catch {
    return [];
  }
}

/** Whose processes: one runner's, where several share a study; else all of the study's. */
interface Scope {
  studyDir: string;
  env?: Record<string, string>;
}

/** What the environment of a cluster's task says of who launched it. */
export const SLURM_RUNNER = "slurm:";

/** Of a task that a cluster runs, perhaps on this very machine: it outlives the launch that submitted it. */
export function isClusters({ runner }: MarkedProcess): boolean {
  return runner?.startsWith(SLURM_RUNNER) ?? false;
}

/** Kills marked processes until none is left; gives how many it met. `spare` says which may live. */
export async function reapMarked(scope: Scope, spare: (found: MarkedProcess) => boolean): Promise<number> {
  const own = scope.env?.ASSAY_RUNNER;
  const met = new Set<number>();
  for (let round = 0; round < 50; round++) {
    const rest = findMarked(scope.studyDir).filter(
      (found) => (own === undefined || found.runner === own) && !spare(found),
    );
    if (rest.length === 0) break;
    for (const { pid } of rest) {
      met.add(pid);
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended by itself.
      }
    }
    await sleep(10);
  }
  return met.size;
}
