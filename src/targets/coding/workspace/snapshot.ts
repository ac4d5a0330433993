import {
  closeSync,
  constants,
  copyFileSync,
  futimesSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { readEntry, scanTree } from "./scan-tree.ts";

/** One file of a base. */
export interface SnapshotFile {
  path: string;
  mode: FileMode;
  bytes: number;
  /** Of a file; each has another one, so that no two can be taken for each other. */
  mtimeS: number;
  /** Where its content starts; -1 where it is large and stands in the pristine files only. */
  offset: number;
}

export type FileMode = "100644" | "100755" | "120000";

export interface Snapshot {
  folders: string[];
  files: SnapshotFile[];
}

/** Larger files are cloned where the file system can. */
const LARGE_BYTES = 1 << 20;
const CONTENT = "content.bin";
/** Other runs of the thread, and who watches a program's limits, wait no longer than this. */
const TURN_MS = 5;

/**
 * Puts the content of many small files one behind the other into one: writing a copy from that takes half the time of
 * copying file by file, since nothing is opened but what is made.
 */
export class SnapshotWriter {
  readonly #file: number;
  #offset = 0;

  constructor(dir: string) {
    this.#file = openSync(join(dir, CONTENT), "w");
  }

  /** Takes all files of a folder as they are now. `see` is told of each content. */
  add(root: string, prefix = "", see: (path: string, bytes: Buffer) => void = () => {}): Snapshot {
    const tree = scanTree(root);
    const files = tree.entries.map((entry): SnapshotFile => {
      const bytes = readEntry(root, entry);
      see(entry.path, bytes);
      const mode = entry.kind === "link" ? "120000" : entry.isExecutable ? "100755" : "100644";
      const isLarge = entry.kind === "file" && bytes.length > LARGE_BYTES;
      const offset = isLarge ? -1 : this.#append(bytes);
      const mtimeS = Math.floor(entry.mtimeMs / 1000);
      return { path: `${prefix}${entry.path}`, mode, bytes: bytes.length, mtimeS, offset };
    });
    return { folders: tree.folders.map((path) => `${prefix}${path}`), files };
  }

  close(): void {
    closeSync(this.#file);
  }

  #append(bytes: Buffer): number {
    const offset = this.#offset;
    writeAll(this.#file, bytes);
    this.#offset += bytes.length;
    return offset;
  }
}

/** Writes the files of snapshots into a folder that must not be there yet. Others have their turn meanwhile. */
export async function writeSnapshots(
  dir: string,
  { contentDir, parts }: { contentDir: string; parts: { snapshot: Snapshot; root: string }[] },
): Promise<void> {
  const content = readFileSync(join(contentDir, CONTENT));
  mkdirSync(dir);
  let turnMs = performance.now();
  for (const { snapshot, root } of parts) {
    for (const folder of snapshot.folders) mkdirSync(`${dir}/${folder}`);
    for (const file of snapshot.files) {
      const path = `${dir}/${file.path}`;
      if (file.offset < 0) copyLarge(`${root}/${file.path}`, path, file);
      else writeOne(path, content.subarray(file.offset, file.offset + file.bytes), file);
      if (performance.now() - turnMs < TURN_MS) continue;
      await setImmediate();
      turnMs = performance.now();
    }
  }
}

function writeOne(path: string, bytes: Buffer, { mode, mtimeS }: SnapshotFile): void {
  if (mode === "120000") {
    symlinkSync(bytes, path);
    return;
  }
  const file = openSync(path, "wx", mode === "100755" ? 0o755 : 0o644);
  try {
    writeAll(file, bytes);
    futimesSync(file, mtimeS, mtimeS);
  } finally {
    closeSync(file);
  }
}

function copyLarge(from: string, to: string, { mtimeS }: SnapshotFile): void {
  copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  utimesSync(to, mtimeS, mtimeS);
}

function writeAll(file: number, bytes: Buffer): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(file, bytes, written);
}
