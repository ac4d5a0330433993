import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

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
