import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { threadId } from "node:worker_threads";
import {
  causeText,
  errorCode,
  errorText,
  explainFileError,
  isFileError,
  isRefusal,
  MachineError,
  UserError,
} from "../core/errors.ts";
import { nearest } from "../core/suggest.ts";
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
  const file = naming(path.toString(), () => openNew(temporary, mode));
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
      naming(path.toString(), () => renameSync(temporary, path));
      isFinished = true;
      if (isDurable) syncFolder(folder);
    },
    drop() {
      close();
      if (!isFinished) rmSync(temporary, { force: true });
    },
  };
}

/** Errors speak of the file that is meant, not of the one that is to take its place. */
function naming<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (isFileError(error)) (error as Error).message = `${causeText(error)}, replace '${path}'`;
    throw error;
  }
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

/**
 * Makes a folder and those above it that are missing. Node's own way never ends where the system takes no folder and
 * says that the one above is missing, as /proc does.
 */
export function makeFolders(path: string): void {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.unshift(at);
  for (const folder of missing) {
    try {
      mkdirSync(folder);
    } catch (error) {
      // Somebody else was quicker.
      if (errorCode(error) !== "EEXIST" || !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
        throw error;
    }
  }
  // What is there already may be something else.
  if (missing.length === 0) mkdirSync(path, { recursive: true });
}

/** Opens a file of the study for reading. A folder could be opened, too, and a pipe would block: they are refused. */
export function openFile(path: string): number {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new MachineError(`${path} is not an ordinary file. Move it away, and run the same command again.`);
}

/** Appends to a file of the study in one write, so that lines of several processes stay whole. A pipe would block. */
export function appendText(path: string, text: string): void {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;
  const file = openSync(path, flags, 0o666);
  try {
    if (!fstatSync(file).isFile())
      throw new MachineError(
        `${path} is not an ordinary file. Move it away, and run the same command again.`,
      );
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** Far beyond any text that a person or a program writes to be read whole. */
const MOST_TEXT_BYTES = 256 << 20;

interface Reading {
  mostBytes?: number;
  /** What a run or somebody else left: a link is not followed, and what can't be read is as if it were not there. */
  isForeign?: boolean;
}

/** The text of an ordinary file of a bearable size. A pipe would block, and a device never end: they are refused. */
export function readText(
  path: string,
  { mostBytes = MOST_TEXT_BYTES, isForeign = false }: Reading = {},
): string {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (isForeign ? constants.O_NOFOLLOW : 0);
  let file: number;
  try {
    file = openSync(path, flags);
  } catch (error) {
    if (errorCode(error) === "ELOOP" && isForeign) throw new OddFile("it is a link, which is not followed");
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

/** The text of a file in a study's folder: in place of which nothing else may stand. */
export function readFolderText(path: string): string {
  try {
    return readText(path);
  } catch (error) {
    if (!(error instanceof OddFile)) throw error;
    throw new MachineError(`${path}: ${error.message}. Move it away, and run the same command again.`);
  }
}

/** The text of a file that the user named: one that is no ordinary file is the user's mistake. */
export function readNamed(
  path: string,
  { shown = path, ...reading }: Reading & { shown?: string } = {},
): string {
  try {
    return readText(path, reading);
  } catch (error) {
    throw error instanceof OddFile ? new UserError(`${shown} can't be read: ${error.message}`) : error;
  }
}

/** The content of a JSON file; a `UserError` that names it where it can't be read or is no JSON. */
export function readJson<T = unknown>(path: string, reading?: Reading): T {
  try {
    return JSON.parse(readText(path, reading)) as T;
  } catch (error) {
    if (isForbidden(error)) throw explainFileError(error);
    throw new UserError(`${path} can't be read as JSON: ${errorText(error)}`);
  }
}

/** Whether the system forbids to read what is there, which is another thing than that nothing is there. */
function isForbidden(error: unknown): boolean {
  return isFileError(error) && !["ENOENT", "ENOTDIR"].includes(errorCode(error)!);
}

/** The content of a JSON file that may be missing or torn: undefined then. */
export function readJsonIfAny<T = unknown>(path: string, reading?: Reading): T | undefined {
  try {
    return JSON.parse(readText(path, reading)) as T;
  } catch (error) {
    if (isForbidden(error) && !reading?.isForeign) throw explainFileError(error);
    return undefined;
  }
}

/** The file that somebody may have meant by a path that leads nowhere. */
export function nearFile(path: string): string | undefined {
  try {
    return nearest(basename(path), readdirSync(dirname(path)), 1)[0];
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
