import { closeSync, fstatSync, readFileSync, readSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { errorCode, errorText, MachineError } from "../../core/errors.ts";
import { parsePythonJson } from "../../core/python-text.ts";
import { openFile } from "../../host/files.ts";
import { BrokenImport } from "./import-reader.ts";

const HEAD_BYTES = 4096;
/** Beyond this a text has no room in one string. */
const MOST_BYTES = 400_000_000;

/** A file that may hold results; it is opened when somebody asks, and parsed once. */
export class FoundFile {
  readonly path: string;
  readonly name: string;
  readonly dir: string;
  #head: string | undefined;
  #json: { value: unknown } | { error: BrokenImport } | undefined;

  constructor(path: string) {
    this.path = path;
    this.name = basename(path);
    this.dir = dirname(path);
  }

  writtenAtMs(): number {
    return Math.round(statSync(this.path).mtimeMs);
  }

  /** Its first characters; empty where it can't be opened. */
  head(): string {
    this.#head ??= readHead(this.path, HEAD_BYTES);
    return this.#head;
  }

  /** Its content as JSON; thrown: a BrokenImport. */
  json(): unknown {
    this.#json ??= parsed(this.path);
    if ("error" in this.#json) throw this.#json.error;
    return this.#json.value;
  }

  /** The same, and undefined where it is none. */
  jsonIfAny(): unknown {
    try {
      return this.json();
    } catch {
      return undefined;
    }
  }
}

/** A file beside: its content as JSON, undefined where there is none. */
export function readJsonIfAny(path: string): unknown {
  return new FoundFile(path).jsonIfAny();
}

/** The first bytes of a file as text; empty where it can't be opened or is no file. */
export function readHead(path: string, most: number): string {
  try {
    const file = openFile(path);
    try {
      const bytes = Buffer.alloc(most);
      return bytes.toString("utf8", 0, readSync(file, bytes, 0, most, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}

function parsed(path: string): { value: unknown } | { error: BrokenImport } {
  try {
    return { value: parseJson(textOf(path)) };
  } catch (error) {
    if (error instanceof BrokenImport) return { error };
    if (errorCode(error) !== undefined) return { error: new BrokenImport(errorText(error)) };
    throw error;
  }
}

function textOf(path: string): string {
  const file = openResults(path);
  try {
    const { size } = fstatSync(file);
    if (size > MOST_BYTES)
      throw new BrokenImport(
        `${Math.round(size / 1e6)} MB; files beyond ${MOST_BYTES / 1e6} MB are not read`,
      );
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** NaN and Infinity become null, which is unknown. */
export function parseJson(text: string): unknown {
  if (text.trim() === "") throw new BrokenImport("the file is empty");
  try {
    return parsePythonJson(text);
  } catch (error) {
    const isCut = /end of JSON|unterminated/i.test(errorText(error));
    const reason = errorText(error).replaceAll(/\s+/g, " ").slice(0, 200);
    throw new BrokenImport(`no valid JSON${isCut ? ", it looks cut off" : ""}: ${reason}`);
  }
}

/** Opens a file of results; what is no ordinary file is a broken one, and its neighbours are read all the same. */
export function openResults(path: string): number {
  try {
    return openFile(path);
  } catch (error) {
    throw error instanceof MachineError ? new BrokenImport("it is not an ordinary file") : error;
  }
}
