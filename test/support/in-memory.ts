import { mkdirSync } from "node:fs";
import { isMemoryDisk } from "../../src/sandboxes/memory-room.ts";

/**
 * Imported first: all temporary files of a test file are in memory, where thousands of them take no time. Only for files
 * that have a process of their own.
 */
if (isMemoryDisk("/dev/shm")) {
  process.env.TMPDIR = `/dev/shm/assay-tests-${process.getuid?.()}`;
  mkdirSync(process.env.TMPDIR, { recursive: true });
}
