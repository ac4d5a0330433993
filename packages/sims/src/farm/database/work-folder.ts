import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder for databases that lasts from setup to teardown, on the disk where the run's own files are. */
export class WorkFolder {
  readonly path: string;
  #files = 0;

  constructor(outDir: string | null) {
    const parent = outDir ?? tmpdir();
    mkdirSync(parent, { recursive: true });
    this.path = mkdtempSync(join(parent, "assay-farm-"));
  }

  /** A path that no file has yet. */
  newFile(): string {
    return join(this.path, `${++this.#files}.db`);
  }

  /** Removes a database and the files that SQLite keeps beside it. */
  removeFile(path: string): void {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Waits until the file is on the disk, so that every way to write one ends as durable as the others. */
export function syncFile(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** What a database takes on the disk, with the log that is not yet merged into it. */
export function databaseBytes(path: string): number {
  return ["", "-wal"].reduce(
    (sum, suffix) => sum + (existsSync(path + suffix) ? statSync(path + suffix).size : 0),
    0,
  );
}
