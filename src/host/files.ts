import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { threadId } from "node:worker_threads";
import { errorText, isRefusal, UserError } from "../core/errors.ts";

interface Replacing {
  /**
   * Whether the new content must outlive a power cut: it is on the disk, under its name, before the call returns.
   * That takes milliseconds, so what is rewritten several times a second, or once per run, and what can be made again
   * says false; readers still see the old file or the new one, never a part.
   */
  isDurable?: boolean;
  /** Permissions of the new file. */
  mode?: number;
}

/** A file that is being written beside the one that it will replace. */
interface Replacement {
  /** Open for writing. */
  file: number;
  /** Puts it in place. */
  finish(): void;
  /** Closes it and leaves nothing behind; after `finish`, does nothing. */
  drop(): void;
}

/** Replaces a file whole: readers see the old one or the new one. */
export function replaceFile(path: string, content: string | Uint8Array, options: Replacing = {}): void {
  const replacement = startReplacing(path, options);
  try {
    writeAll(replacement.file, content);
    replacement.finish();
  } finally {
    replacement.drop();
  }
}

/** As `replaceFile`, for what is written piece by piece: always `drop` it in the end. */
export function startReplacing(
  path: string,
  { isDurable = true, mode = 0o666 }: Replacing = {},
): Replacement {
  // The name is the writer's own, so that two who replace one file at once don't write into each other's.
  const temporary = `${path}.${process.pid}-${threadId}.tmp`;
  const file = openSync(temporary, "w", mode);
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  let isFinished = false;
  return {
    file,
    finish() {
      if (isDurable) fsyncSync(file);
      close();
      renameSync(temporary, path);
      isFinished = true;
      if (isDurable) syncFolder(dirname(path));
    },
    drop() {
      close();
      if (!isFinished) rmSync(temporary, { force: true });
    },
  };
}

export function writeAll(file: number, content: string | Uint8Array): void {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** A name is on the disk once its folder is; not every system lets a folder be opened for that. */
function syncFolder(dir: string): void {
  let folder: number | undefined;
  try {
    folder = openSync(dir, "r");
    fsyncSync(folder);
  } catch (error) {
    if (isRefusal(error)) throw error;
  } finally {
    if (folder !== undefined) closeSync(folder);
  }
}

/** The content of a JSON file; a `UserError` that names it where it can't be read or is no JSON. */
export function readJson<T = unknown>(path: string): T {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as T;
  } catch (error) {
    throw new UserError(`${path} can't be read as JSON: ${errorText(error)}`);
  }
}

/** The content of a JSON file that may be missing, unreadable or torn: undefined then. */
export function readJsonIfAny<T = unknown>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as T;
  } catch {
    return undefined;
  }
}
