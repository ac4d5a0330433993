import { execFile } from "node:child_process";
import { isMemoryDisk, roomBytes } from "./memory-room.ts";
import type { ProcessTree } from "./process-tree.ts";
import type { ProgramResult, SandboxedProgram } from "./sandbox.ts";

const MB = 1 << 20;
/** How often memory is looked at; without a limit only so often that what forks away is met. */
const MEMORY_EVERY_MS = 50;
const TREE_EVERY_MS = 200;
const DISK_EVERY_MS = 250;
/** Looking may take this part of the time at most. */
const MOST_SHARE = 0.1;
/** No honest program has more at once; a fork bomb has them in no time. */
const MOST_PROCESSES = 1000;
/** Where so little memory is left, a program that has filled much of it with its files is ended. */
const LEAST_ROOM_BYTES = 1 << 30;
const LARGE_MB = 512;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface Watch {
  tree: ProcessTree;
  folders: readonly string[];
  end(why: NonNullable<ProgramResult["ended"]>): void;
}

/** Ends a program that takes more than it may. Gives what stops the watching. */
export function watchLimits(program: SandboxedProgram, { tree, folders, end }: Watch): () => void {
  const { timeoutMs, memoryMb, diskMb, signal } = program;
  const cancel = () => end("cancelled");
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  const timers: { clear(): void }[] = [];
  if (timeoutMs > 0) timers.push(after(timeoutMs, () => end("timeout")));
  timers.push(
    repeat(memoryMb > 0 ? MEMORY_EVERY_MS : TREE_EVERY_MS, async () => {
      const members = tree.members();
      if (memoryMb > 0 && tree.residentBytes(members, memoryMb * MB) > memoryMb * MB) end("memory");
      else if (members.length > MOST_PROCESSES) end("processes");
    }),
  );
  const isOver = diskMb > 0 ? () => isOverDisk(folders, diskMb) : fillsMemory(folders);
  if (isOver) {
    timers.push(
      repeat(DISK_EVERY_MS, async () => {
        if (await isOver()) end("disk");
      }),
    );
  }
  return () => {
    signal.removeEventListener("abort", cancel);
    for (const timer of timers) timer.clear();
  };
}

/** Without a limit a disk may be filled up, but not the machine's memory; undefined where the folders are on a disk. */
function fillsMemory(folders: readonly string[]): (() => Promise<boolean>) | undefined {
  const inMemory = folders.filter(isMemoryDisk);
  if (inMemory.length === 0) return undefined;
  return async () => roomBytes(inMemory[0]!) < LEAST_ROOM_BYTES && (await isOverDisk(inMemory, LARGE_MB));
}

/** Whether these folders have more than they may; 0 means no limit. */
export async function isOverDisk(folders: readonly string[], diskMb: number): Promise<boolean> {
  const bytes = diskMb > 0 ? await folderBytes(folders) : undefined;
  return bytes !== undefined && bytes > diskMb * MB;
}

function after(ms: number, act: () => void): { clear(): void } {
  const timer = setTimeout(act, Math.min(ms, LONGEST_TIMER_MS));
  return { clear: () => clearTimeout(timer) };
}

/** Does it again and again, and more seldom where it takes long. */
function repeat(everyMs: number, act: () => Promise<void>): { clear(): void } {
  let isOver = false;
  let timer = setTimeout(next, everyMs);
  async function next(): Promise<void> {
    const start = performance.now();
    await act();
    const spentMs = performance.now() - start;
    if (!isOver) timer = setTimeout(next, Math.max(everyMs, spentMs / MOST_SHARE));
  }
  return {
    clear: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/**
 * Bytes that folders take on the disk, hard links once, links not followed. In a process of its own: a walk over many
 * files would stop all runs of this one. Undefined where nothing could be told.
 */
function folderBytes(folders: readonly string[]): Promise<number | undefined> {
  return new Promise((resolve) => {
    const options = {
      encoding: "utf8",
      maxBuffer: 1 << 20,
      env: { PATH: process.env.PATH, LC_ALL: "C" },
    } as const;
    // Files that vanish meanwhile make it complain, and the sums are good all the same.
    execFile("du", ["-sk", "--", ...folders], options, (_, stdout) => {
      const sums = [...stdout.matchAll(/^(\d+)\t/gm)].map((match) => Number(match[1]) * 1024);
      resolve(sums.length === 0 ? undefined : sums.reduce((sum, bytes) => sum + bytes, 0));
    });
  });
}
