import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

interface MachineProbe {
  /** The smallest step that the clock was seen to take, and what a reading costs. */
  clockStepNs: number;
  clockCostNs: number;
  /** By how much a timer of one millisecond is late, on average. */
  timerLateMs: number;
  /** A fixed piece of arithmetic on one core: the same work on every machine. */
  arithmeticMs: number;
  copyGbPerS: number;
}

const READINGS = 5000;
const TIMERS = 10;
const ROUNDS = 5_000_000;
const COPY_BYTES = 16e6;

/** What the machine itself is like, with nothing of ours running. */
export async function probeMachine(): Promise<MachineProbe> {
  return {
    ...probeClock(),
    timerLateMs: await probeTimers(),
    arithmeticMs: probeArithmetic(),
    copyGbPerS: probeCopy(),
  };
}

function probeClock(): { clockStepNs: number; clockCostNs: number } {
  let smallest = Number.POSITIVE_INFINITY;
  const start = process.hrtime.bigint();
  let last = start;
  for (let i = 0; i < READINGS; i++) {
    const now = process.hrtime.bigint();
    const step = Number(now - last);
    if (step > 0 && step < smallest) smallest = step;
    last = now;
  }
  return { clockStepNs: smallest, clockCostNs: Number(last - start) / READINGS };
}

async function probeTimers(): Promise<number> {
  let late = 0;
  for (let i = 0; i < TIMERS; i++) {
    const start = performance.now();
    await new Promise((resume) => setTimeout(resume, 1));
    late += performance.now() - start - 1;
  }
  return late / TIMERS;
}

function probeArithmetic(): number {
  const start = performance.now();
  let hash = 1;
  for (let i = 0; i < ROUNDS; i++) hash = Math.imul(hash ^ i, 0x01000193) ^ (hash >>> 15);
  const elapsed = performance.now() - start;
  // The result is used, so that the loop can't be dropped.
  return hash === 0.5 ? Number.NaN : elapsed;
}

function probeCopy(): number {
  const from = new Uint8Array(COPY_BYTES).fill(1);
  const to = new Uint8Array(COPY_BYTES).fill(2);
  const start = performance.now();
  to.set(from);
  return COPY_BYTES / 1e6 / (performance.now() - start);
}

interface DiskProbe {
  /** From the first write until all of it is on the disk. */
  writeMbPerS: number;
  /** A page written and made safe: what a small transaction waits for. */
  fsyncMs: number;
  fsyncWorstMs: number;
}

const BLOCK = Buffer.alloc(1 << 20, 7);
const PAGE = BLOCK.subarray(0, 4096);
const PAGES = 20;

/** Writes some megabytes at once, then single pages that each wait for the disk. */
export function probeDisk(folder: string, megabytes: number): DiskProbe {
  const path = join(folder, "probe.bin");
  const file = openSync(path, "w");
  try {
    const writeMs = elapsedMs(() => {
      for (let i = 0; i < megabytes; i++) writeSync(file, BLOCK);
      fsyncSync(file);
    });
    const pageMs = Array.from({ length: PAGES }, (_, page) =>
      elapsedMs(() => {
        writeSync(file, PAGE, 0, PAGE.length, page * PAGE.length);
        fsyncSync(file);
      }),
    ).sort((a, b) => a - b);
    return {
      writeMbPerS: (megabytes * BLOCK.length) / 1000 / writeMs,
      fsyncMs: pageMs[PAGES >> 1]!,
      fsyncWorstMs: pageMs.at(-1)!,
    };
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
}

function elapsedMs(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Bytes that the machine has received and sent since it started, over all networks; null where it does not tell. */
export function networkBytes(): { received: number; sent: number } | null {
  let text: string;
  try {
    text = readFileSync("/proc/net/dev", "utf8");
  } catch {
    return null;
  }
  return parseNetworkBytes(text);
}

/** Lines are `name: received-bytes` and seven more numbers, then sent bytes; two lines of headings come first. */
export function parseNetworkBytes(text: string): { received: number; sent: number } {
  const rows = text
    .trim()
    .split("\n")
    .slice(2)
    .map((line) =>
      line
        .slice(line.indexOf(":") + 1)
        .trim()
        .split(/\s+/)
        .map(Number),
    );
  return {
    received: rows.reduce((sum, row) => sum + (row[0] ?? 0), 0),
    sent: rows.reduce((sum, row) => sum + (row[8] ?? 0), 0),
  };
}
