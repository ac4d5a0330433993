import { readFileSync } from "node:fs";
import { sleep } from "../host/clock.ts";
import {
  type LiveStat,
  listProcesses,
  pageBytes,
  proportionalBytes,
  readEnviron,
  readStat,
} from "../host/processes.ts";
import { EXECUTION_MARK } from "./environment.ts";

const LOOK_EVERY_MS = 2;
const GIVE_UP_MS = 60_000;
/** More than these at the end of their time multiply faster than they could be asked. */
const MOST_ASKED = 300;

/** Processes seen without any mark, by number and birth: a process never gets one later. */
let strangers = new Map<number, string>();

/**
 * All that came out of one process: its children and theirs, its session, its group, and whatever carries its mark in
 * the environment, wherever it moved: out of the group, out of the session, away from its parent. Linux only;
 * elsewhere the process group has to do.
 */
export class ProcessTree {
  readonly #root: number;
  readonly #rootStartedAt: string | undefined;
  readonly #mark: RegExp;
  #known = new Map<number, string>();

  constructor(root: number, mark: string) {
    this.#root = root;
    this.#rootStartedAt = readStat(root)?.startedAt;
    this.#mark = new RegExp(`\\0${EXECUTION_MARK}=[^\\0]*\\b${mark}\\b`);
  }

  /** Those that live. */
  members(): LiveStat[] {
    const all = listProcesses();
    const now = all.find(({ pid }) => pid === this.#root);
    // The number may be another one's by now, whose group and session are none of ours.
    const isReused = now !== undefined && now.startedAt !== this.#rootStartedAt;
    const found = new Map<number, LiveStat>();
    const unmarked = new Map<number, string>();
    for (const process of all) {
      const isNear =
        this.#known.get(process.pid) === process.startedAt || (!isReused && this.#isNear(process));
      if (isNear || this.#isMarked(process, unmarked)) found.set(process.pid, process);
    }
    strangers = unmarked;
    const children = new Map<number, LiveStat[]>();
    for (const process of all) {
      const siblings = children.get(process.parent);
      if (siblings) siblings.push(process);
      else children.set(process.parent, [process]);
    }
    // A map that grows while it is gone through is gone through to its end.
    for (const pid of found.keys())
      for (const child of children.get(pid) ?? []) if (!found.has(child.pid)) found.set(child.pid, child);
    this.#known = new Map([...found.values()].map(({ pid, startedAt }) => [pid, startedAt]));
    return [...found.values()].filter(({ isDead }) => !isDead);
  }

  /** Bytes of memory that these have; shared pages are counted once where `limit` would be passed otherwise. */
  residentBytes(members: readonly LiveStat[], limit: number): number {
    const simple = members.reduce((sum, { rssPages }) => sum + rssPages * pageBytes(), 0);
    if (simple <= limit) return simple;
    return members.reduce((sum, { pid }) => sum + proportionalBytes(pid), 0);
  }

  /**
   * Asks all to end; false where they are too many to be asked. Those that hold a namespace, its first process and who
   * made that, would end the others at once.
   */
  ask(first: LiveStat | undefined): boolean {
    const members = this.members();
    const holders = first ? [this.#root, first.pid] : [];
    if (members.length > MOST_ASKED) return false;
    for (const { pid } of members) if (!holders.includes(pid)) send(pid, "SIGTERM");
    return true;
  }

  /** Kills until nothing is left; gives how many could not be ended. */
  async reap(): Promise<number> {
    return untilNone(() => {
      const members = this.members();
      // The group at once, so that none of it can fork away between two signals.
      const hasGroup = members.some(({ group }) => group === this.#root);
      if (hasGroup || this.#rootStartedAt === undefined) send(-this.#root, "SIGKILL");
      for (const { pid } of members) send(pid, "SIGKILL");
      return members.length;
    });
  }

  #isNear({ pid, group, session }: LiveStat): boolean {
    return [pid, group, session].includes(this.#root);
  }

  #isMarked({ pid, startedAt, isKernels, isDead }: LiveStat, unmarked: Map<number, string>): boolean {
    if (isKernels || isDead || pid === process.pid) return false;
    const isStranger = strangers.get(pid) === startedAt;
    const environ = isStranger ? "" : readEnviron(pid);
    if (isStranger || (environ !== "" && !environ.includes(`\0${EXECUTION_MARK}=`)))
      unmarked.set(pid, startedAt);
    return this.#mark.test(environ);
  }
}

/** Ends a namespace of processes with its first one, which goes when all others have gone; 1 where that can't be. */
export function endNamespace({ pid, startedAt }: LiveStat): Promise<number> {
  return untilNone(() => {
    const now = readStat(pid);
    if (now?.startedAt !== startedAt || now.isDead) return 0;
    send(pid, "SIGKILL");
    return 1;
  });
}

/**
 * Kills those whose environment has this word, and those that see a mount from a place with it in its name, as programs
 * in a container do: all that another process left. Linux only.
 */
export async function killWith(word: string): Promise<void> {
  await untilNone(() => {
    const met = listProcesses().filter(
      ({ pid, isDead }) =>
        !isDead && pid !== process.pid && (readEnviron(pid).includes(word) || readMounts(pid).includes(word)),
    );
    for (const { pid } of met) send(pid, "SIGKILL");
    return met.length;
  });
}

function readMounts(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/mountinfo`, "utf8");
  } catch {
    return "";
  }
}

async function untilNone(count: () => number): Promise<number> {
  for (const startMs = performance.now(); ; ) {
    const rest = count();
    if (rest === 0 || performance.now() - startMs > GIVE_UP_MS) return rest;
    await sleep(LOOK_EVERY_MS);
  }
}

function send(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Nothing is left of it.
  }
}
