import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { threadId } from "node:worker_threads";
import { errorCode, errorText, isFileError, isRefusal, UserError } from "../core/errors.ts";
import { Held, OddFile } from "./held.ts";

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
  path: string | Buffer,
  { isDurable = true, mode = 0o666 }: Replacing = {},
): Replacement {
  const folder = dirname(path.toString());
  // The name is the writer's own, so that two who replace one file at once don't write into each other's; and short,
  // since the file's own may be as long as a name can be.
  const temporary = `${folder}/.${process.pid}-${threadId}.tmp`;
  const file = openNew(temporary, mode);
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
      if (isDurable) syncFolder(folder);
    },
    drop() {
      close();
      if (!isFinished) rmSync(temporary, { force: true });
    },
  };
}

/** A file that was not there: what a crash left under its name goes, and a link that was planted there is not followed. */
function openNew(path: string, mode: number): number {
  try {
    return openSync(path, "wx", mode);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    rmSync(path, { recursive: true, force: true });
    return openSync(path, "wx", mode);
  }
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

/** Far beyond any text that a person or a program writes to be read whole. */
const MOST_TEXT_BYTES = 256 << 20;

interface Reading {
  mostBytes?: number;
  /** Whether a link is followed; what a run left must not lead elsewhere. */
  mayBeLink?: boolean;
}

/** The text of an ordinary file of a bearable size. A pipe would block, and a device never end: they are refused. */
export function readText(
  path: string,
  { mostBytes = MOST_TEXT_BYTES, mayBeLink = true }: Reading = {},
): string {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (mayBeLink ? 0 : constants.O_NOFOLLOW);
  let file: number;
  try {
    file = openSync(path, flags);
  } catch (error) {
    if (errorCode(error) === "ELOOP" && !mayBeLink) throw new OddFile("it is a link, which is not followed");
    throw error;
  }
  try {
    const stats = fstatSync(file);
    if (stats.isDirectory()) throw new OddFile("it is a folder");
    if (!stats.isFile()) throw new OddFile("it is a pipe or a device, not an ordinary file");
    if (stats.size > mostBytes) throw new OddFile(`it is larger than ${mostBytes / 1e6} MB`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** The content of a JSON file; a `UserError` that names it where it can't be read or is no JSON. */
export function readJson<T = unknown>(path: string, reading?: Reading): T {
  try {
    return JSON.parse(readText(path, reading)) as T;
  } catch (error) {
    throw new UserError(`${path} can't be read as JSON: ${errorText(error)}`);
  }
}

/** The content of a JSON file that may be missing, unreadable or torn: undefined then. */
export function readJsonIfAny<T = unknown>(path: string, reading?: Reading): T | undefined {
  try {
    return JSON.parse(readText(path, reading)) as T;
  } catch {
    return undefined;
  }
}

/** Deletes a folder with all that is in it, also where permissions forbid that to its owner or paths are too long. */
export function removeTree(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    if (!isFileError(error)) throw error;
    removeEntry(path);
  }
}

function removeEntry(path: string | Buffer): void {
  using entry = new Held(path);
  if (entry.stats.isDirectory()) {
    entry.allow(0o700);
    for (const name of entry.names()) removeEntry(entry.entry(name));
    rmdirSync(path);
  } else unlinkSync(path);
}
