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
  const { bavail, bsize } = statfsSync(path);
  return Math.min(bavail * bsize, process.availableMemory());
}
