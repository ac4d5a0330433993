import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import type { Redactor } from "../../core/redact.ts";
import type { ResultLine } from "./batch-files.ts";

/** Syncing each of many short runs would cost more than they do. */
const SYNC_MS = 200;

/**
 * Where a task tells what it has done, a line each, written at once: what a killed task had done counts. It reaches
 * the disk, and on a network file system other machines, a fifth of a second later at most.
 */
export class ResultFile {
  readonly #file: number;
  readonly #redactor: Redactor;
  #syncedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(path: string, redactor: Redactor) {
    this.#file = openSync(path, "a");
    this.#redactor = redactor;
  }

  append(line: ResultLine): void {
    const bytes = Buffer.from(`${this.#redactor.toJson(line)}\n`);
    let at = 0;
    while (at < bytes.length) at += writeSync(this.#file, bytes, at);
    const sinceMs = performance.now() - this.#syncedAt;
    if (sinceMs >= SYNC_MS) this.#sync();
    else this.#timer ??= setTimeout(() => this.#sync(), SYNC_MS - sinceMs);
  }

  close(): void {
    this.#sync();
    closeSync(this.#file);
  }

  #sync(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#syncedAt = performance.now();
    fdatasyncSync(this.#file);
  }
}
