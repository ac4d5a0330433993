import { statfsSync } from "node:fs";

const TMPFS_MAGIC = 0x0102_1994;

/** Whether files there are kept in memory. */
export function isMemoryDisk(path: string): boolean {
  try {
    return statfsSync(path).type === TMPFS_MAGIC;
  } catch {
    return false;
  }
}

/** What can still be written to such a place: neither it nor the machine's memory may be full. */
export function roomBytes(path: string): number {
  return Math.min(freeBytes(path), process.availableMemory());
}

function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    // A program may have removed its own folder.
    return Number.POSITIVE_INFINITY;
  }
}
