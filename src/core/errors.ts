/** Where in a user's file something stands. Lines and columns count from 1. */
export interface Place {
  file?: string;
  line?: number;
  column?: number;
  /** The way to the value, such as `matrix.seeds`. */
  path?: string;
}

interface Mistake {
  place?: Place;
  expected?: string;
  got?: string;
  remedy?: string;
}

/** A mistake of the user's: shown as one message without a stack, exit code 2. */
export class UserError extends Error {
  override name = "UserError";
  readonly exitCode = 2;

  /** By name: a plugin may have loaded a copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isNamed(value, "UserError");
  }

  constructor(message: string, mistake: Mistake = {}) {
    super(describe(message, mistake));
  }

  /** The same mistake, with the place where it stands. */
  at(place: Place): UserError {
    return Object.assign(new UserError(""), { message: `${placeText(place)}: ${this.message}` });
  }
}

/** What the machine refused (a full disk, a failing fsync): nothing is wrong with the study. Exit code 74. */
export class MachineError extends Error {
  override name = "MachineError";
  readonly exitCode = 74;

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isNamed(value, "MachineError");
  }
}

function isNamed(value: unknown, name: string): boolean {
  return value instanceof Error && value.name === name;
}

const REFUSALS = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO", "EMFILE", "ENFILE"]);

/** Whether the machine refused (no room, too many open files, a broken disk), whatever was being done. */
export function isRefusal(error: unknown): boolean {
  return REFUSALS.has(errorCode(error) ?? "");
}

/** What a call is about that has nothing to do with files. */
const OTHER_CALLS = /^(connect|listen|bind|accept|getaddrinfo|query|spawn|kill)/;

/** Whether a call to the system about a file failed, for whatever reason. */
export function isFileError(error: unknown): boolean {
  if (!(error instanceof Error && "syscall" in error)) return false;
  return /^(ERR_FS_)?E[A-Z0-9]+$/.test(errorCode(error) ?? "") && !OTHER_CALLS.test(String(error.syscall));
}

const PERMISSION = "Give yourself the permission, or choose another place";
const ROOM = "Make room on that disk";
const OPEN_FILES = "Allow more open files (`ulimit -n`), or run fewer at once (--jobs)";
/** What to do about what the system refuses, by its name for it. */
const REMEDIES: Record<string, string> = {
  EACCES: PERMISSION,
  EPERM: PERMISSION,
  EROFS: "That disk can't be written to: choose another place",
  EISDIR: "A folder stands where a file belongs: move it away",
  ENOTDIR: "A file stands where a folder belongs: move it away",
  EEXIST: "Something else stands there: move it away",
  ENOENT: "It was moved or deleted meanwhile, or can't be there: put it back, or choose another place",
  ENOTEMPTY: "Something else stands there: move it away",
  ELOOP: "Links lead in a circle there: mend them",
  ENAMETOOLONG: "Choose a shorter path",
  EMFILE: OPEN_FILES,
  ENFILE: OPEN_FILES,
  ENOSPC: ROOM,
  EDQUOT: ROOM,
  EIO: "Check that disk",
};

/** What the system refused to do with a file, as a `MachineError` that names the file and the remedy; else as it is. */
export function explainFileError(error: unknown): unknown {
  if (!isFileError(error) && !isRefusal(error)) return error;
  const remedy = REMEDIES[errorCode(error)!.replace("ERR_FS_", "")] ?? "Look at what stands there";
  return new MachineError(
    `the machine refused (${errorText(error)}). Finished runs are safe. ${remedy}, and run the same command again.`,
  );
}

/** What the machine refuses whatever is being done, in words; any other error as it is, also one about a single file. */
export function asMachineError(error: unknown): unknown {
  return isRefusal(error) ? explainFileError(error) : error;
}

function describe(message: string, { place, expected, got, remedy }: Mistake): string {
  const where = placeText(place);
  const facts = [expected && `expected ${expected}`, got && `got ${got}`].filter(Boolean).join(", ");
  const body = [message, facts].filter(Boolean).join(message && facts ? ": " : "");
  return [where && `${where}:`, body && `${body}.`, remedy].filter(Boolean).join(" ");
}

export function placeText(place: Place | undefined): string {
  if (!place) return "";
  const position = [place.file, place.line, place.column].filter((part) => part !== undefined).join(":");
  return [position, place.path].filter(Boolean).join(" ");
}

/** A sentence's worth of an error from anywhere. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** An error without the call and the path that a system's error ends with, where the sentence around it names the file. */
export function causeText(error: unknown): string {
  return isFileError(error) ? errorText(error).replace(/, [a-z_]+( '.*)?$/s, "") : errorText(error);
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

let tell = (_text: string): void => {};
const told = new Set<string>();

/** Names who hears of what can't be used in a study's folder; nobody does until then. */
export function listenForDamage(listener: (text: string) => void): void {
  tell = listener;
}

/** Tells it once, however often a command comes across it. */
export function reportDamage(text: string): void {
  if (told.has(text)) return;
  told.add(text);
  tell(text);
}

/** What steers a terminal or turns the order of what is read around: controls, and marks of direction. Not tab and newline. */
const STEERING = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const STEERING_OR_BREAK = new RegExp(`${STEERING.source}|[\\t\\n]`, "g");

/** A text whose characters all stand for themselves; lines stay lines. */
export function withoutControls(text: string): string {
  return text.replaceAll(STEERING, "\ufffd");
}

/** The same on one line: for names. */
export function onOneLine(text: string): string {
  return text.replaceAll(STEERING_OR_BREAK, "\ufffd");
}
