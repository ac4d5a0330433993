import {
  appendFileSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { causeText, errorCode, isFileError, isRefusal } from "../core/errors.ts";
import { bytesText } from "../core/number-text.ts";
import { hide, type JsonPlace, jsonPlaceAt, type Redactor, SECRETS_LEFT } from "../core/redact.ts";
import { RUN_FILES } from "../core/study-folder.ts";
import { startReplacing, writeAll } from "../host/files.ts";
import { Held, OddFile } from "../host/held.ts";

const MOST_NAMED = 10;

interface Sealing {
  capBytes: number;
  redactor: Redactor;
  /** Hears what is not as it should be. */
  warn(text: string): void;
}

/** Caps what a run's folder captured and takes secrets out of all of it; what can't be cleaned is named. */
export function sealFolder(dir: string, { capBytes, redactor, warn }: Sealing): void {
  const sealed = [RUN_FILES.stdout, RUN_FILES.stderr].filter((name) =>
    tolerate(
      () => sealOutput(`${dir}/${name}`, capBytes, redactor),
      (why) => warn(`${name} is not what it printed (${why})`),
    ),
  );
  tolerate(
    () => {
      const problems = redactFolder(dir, redactor, (name) => sealed.some((done) => done === name));
      const more = problems.splice(MOST_NAMED).length;
      if (more > 0) problems.push(`${more} more`);
      if (problems.length > 0) warn(`${SECRETS_LEFT} ${problems.join(", ")}`);
    },
    (why) => warn(`${SECRETS_LEFT} its folder (${why})`),
  );
}

/** Whether something could be done in a run's folder. If not, that is the run's own affair, unless it is the machine's. */
export function tolerate(act: () => void, onFailure: (why: string) => void = () => {}): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (!isOfTheRun(error)) throw error;
    onFailure(causeText(error));
    return false;
  }
}

/** Whether an error tells what a run made of its folder: no refusal of the machine, and no bug. */
export function isOfTheRun(error: unknown): boolean {
  return error instanceof OddFile || (isFileError(error) && !isRefusal(error));
}

/**
 * Cuts a captured file to its cap, says so at its end, and takes secrets out of it. Throws, and changes nothing, where
 * something else stands in its place.
 */
export function sealOutput(path: string, capBytes: number, redactor: Redactor): void {
  if (!lstatSync(path, { throwIfNoEntry: false })) {
    writeFileSync(path, "", { flag: "wx" });
    return;
  }
  const isCapped = cut(path, capBytes);
  redactFile(path, redactor);
  if (isCapped) {
    using file = new Held(path);
    // The cut may have left the beginning of a secret: as much as could be one goes too.
    truncateSync(file.path, Math.max(0, statSync(file.path).size - longest(redactor)));
    appendFileSync(file.path, `\n[assay: capped at ${capBytes} bytes; what came after was not kept]\n`);
  }
}

/** Cuts a captured file to its cap; whether there was anything to cut. */
export function cut(path: string, capBytes: number): boolean {
  using file = new Held(path);
  if (!file.stats.isFile()) throw new OddFile("the run put something else in its place");
  if (file.stats.nlink > 1) throw new OddFile("the run put a file of another name in its place");
  file.allow(0o600);
  if (file.stats.size <= capBytes) return false;
  truncateSync(file.path, capBytes);
  return true;
}

function longest({ needles }: Redactor): number {
  return Math.max(0, ...needles.map(({ needle }) => Buffer.byteLength(needle)));
}

const CHUNK_BYTES = 1 << 22;
/** Reading more would hold up all other runs. */
const MOST_BYTES = 2 ** 32;
/** Each level of folders is held open while those below are cleaned. */
const MOST_LEVELS = 256;
const LONGEST_NAME = 255;

type Needles = Redactor["needles"];

interface Cleaning {
  redactor: Redactor;
  /** As bytes are compared: one character a byte. */
  needles: Needles;
  /** What could not be cleaned, and why. */
  problems: string[];
}

/**
 * Takes secrets out of every file below a folder, and out of names and the targets of links. Never follows a link, and
 * never writes to a file that has another name elsewhere. Gives what could not be cleaned, and why. `isSpared` says
 * which entries of the folder itself are left alone.
 */
export function redactFolder(
  dir: string,
  redactor: Redactor,
  isSpared: (name: string) => boolean = () => false,
): string[] {
  if (redactor.needles.length === 0) return [];
  const cleaning: Cleaning = { redactor, needles: asBytes(redactor.needles), problems: [] };
  using folder = new Held(dir);
  cleanFolder(folder, { shown: "", level: 0, isSpared }, cleaning);
  return cleaning.problems;
}

/** Takes secrets out of one file, of any size, that is no link. */
export function redactFile(path: string, redactor: Redactor): void {
  if (redactor.needles.length === 0) return;
  using file = new Held(path);
  cleanFile(file, path, asBytes(redactor.needles));
}

/** Bytes that are not UTF-8 must stay as they are, so the search is over latin1, one character a byte. */
function asBytes(needles: Needles): Needles {
  return needles.map(({ needle, replacement }) => ({
    needle: Buffer.from(needle, "utf8").toString("latin1"),
    replacement,
  }));
}

interface Level {
  /** The folder's path below the first one, for people. */
  shown: string;
  level: number;
  isSpared?: (name: string) => boolean;
}

function cleanFolder(folder: Held, { shown, level, isSpared }: Level, cleaning: Cleaning): void {
  if (level > MOST_LEVELS) throw new OddFile(`it lies ${level} folders deep`);
  folder.allow(0o700);
  for (const name of folder.names()) {
    if (isSpared?.(name.toString())) continue;
    const shownName = `${shown}${cleaning.redactor.text(name.toString())}`;
    try {
      const path = cleanName(folder, name, cleaning.needles);
      using entry = new Held(path);
      if (entry.stats.isDirectory())
        cleanFolder(entry, { shown: `${shownName}/`, level: level + 1 }, cleaning);
      else if (entry.stats.isFile()) cleanFile(entry, path, cleaning.needles);
      else if (entry.stats.isSymbolicLink()) cleanLink(path, cleaning.needles);
    } catch (error) {
      if (isRefusal(error)) throw error;
      // Gone meanwhile, with whatever it held.
      if (errorCode(error) === "ENOENT") continue;
      cleaning.problems.push(`${shownName} (${causeText(error)})`);
    }
  }
}

/** The entry's path, under a name without a secret. */
function cleanName(folder: Held, name: Buffer, needles: Needles): Buffer {
  const before = name.toString("latin1");
  const clean = hide(before, needles);
  if (clean === before) return folder.entry(name);
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? "" : `-${number}`;
    const path = folder.entry(Buffer.from(clean.slice(0, LONGEST_NAME - suffix.length) + suffix, "latin1"));
    if (lstatSync(path, { throwIfNoEntry: false })) continue;
    renameSync(folder.entry(name), path);
    return path;
  }
}

function cleanLink(path: Buffer, needles: Needles): void {
  const before = readlinkSync(path, "latin1");
  const clean = hide(before, needles);
  if (clean === before) return;
  rmSync(path);
  symlinkSync(Buffer.from(clean, "latin1"), path);
}

function cleanFile(file: Held, path: string | Buffer, needles: Needles): void {
  if (!file.stats.isFile()) throw new OddFile("it is not an ordinary file");
  if (file.stats.size > MOST_BYTES) throw new OddFile(`it is larger than ${bytesText(MOST_BYTES)}`);
  file.allow(0o400);
  for (const piece of piecesOf(file, needles)) {
    if (!needles.some(({ needle }) => piece.includes(needle))) continue;
    rewrite(file, path, needles);
    return;
  }
}

/** The new file replaces the old one by its name: under another name, elsewhere, the old one stays as it is. */
function rewrite(file: Held, path: string | Buffer, needles: Needles): void {
  const replacement = startReplacing(path, { isDurable: false, mode: file.stats.mode });
  try {
    const isJson = /\.jsonl?$/.test(path.toString());
    let place: JsonPlace = { isText: false, isEscaped: false };
    for (const piece of piecesOf(file, needles)) {
      // A number outside of texts only looks like a secret; without it, JSON would be none any more.
      const isNumber = (start: number, end: number) =>
        /^[\d.eE+-]+$/.test(piece.slice(start, end)) && !jsonPlaceAt(piece, start, place).isText;
      const isKept = isJson ? isNumber : undefined;
      writeAll(replacement.file, Buffer.from(hide(piece, needles, isKept), "latin1"));
      if (isJson) place = jsonPlaceAt(piece, piece.length, place);
    }
    replacement.finish();
  } finally {
    replacement.drop();
  }
}

/** The text of a file in pieces, cut where no needle is cut through. */
function* piecesOf({ path, stats }: Held, needles: Needles): Generator<string> {
  const longest = Math.max(...needles.map(({ needle }) => needle.length));
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, stats.size + 1));
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    let text = "";
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
      text += chunk.toString("latin1", 0, read);
      const cut = safeCut(text, text.length - longest + 1, needles);
      if (cut <= 0) continue;
      yield text.slice(0, cut);
      text = text.slice(cut);
    }
    if (text !== "") yield text;
  } finally {
    closeSync(file);
  }
}

/** The last place up to `cut` that is inside no needle. */
function safeCut(text: string, cut: number, needles: Needles): number {
  for (const { needle } of needles) {
    const start = text.indexOf(needle, Math.max(0, cut - needle.length + 1));
    if (start >= 0 && start < cut) return safeCut(text, start, needles);
  }
  return cut;
}
