import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { Metrics } from "../../core/run.ts";

/** A number may be the last word of a long output; what stands before this much of it is not searched. */
const MOST_BYTES = 50_000_000;
const LAST_BYTES = 16_384;
const MOST_LENGTH = 200;

/** What a pattern found, or in `problem` why there is no number. */
export interface Printed {
  metrics: Metrics;
  problem?: string;
}

/** Numbers that a program printed, each by its pattern: the last match counts, and of that the first group. */
export function readPrinted(text: string, patterns: Readonly<Record<string, string>>): Printed {
  const printed: Printed = { metrics: {} };
  for (const [name, pattern] of Object.entries(patterns)) {
    const match = [...text.matchAll(new RegExp(pattern, "gm"))].at(-1);
    const found = match && (match[1] ?? match[0]).trim();
    const number = found === undefined ? undefined : numberOf(found);
    if (number !== undefined) printed.metrics[name] = number;
    else
      printed.problem ??=
        found === undefined
          ? `no ${name} in stdout: nothing matches /${pattern}/; ${endingOf(text)}`
          : `no ${name} in stdout: /${pattern}/ matches ${JSON.stringify(found)}, which is not a number`;
  }
  return printed;
}

/** null is a number that the program could not tell: NaN. */
function numberOf(text: string): number | null | undefined {
  if (/^[+-]?(nan|inf(inity)?)$/i.test(text)) return null;
  // The end of a sentence, or of a list.
  const bare = text.replace(/[.,;:)\]}]+$/, "");
  const plain = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare) ? bare.replaceAll(",", "") : bare;
  const number = Number(plain);
  return plain === "" || !Number.isFinite(number) ? undefined : number;
}

function endingOf(text: string): string {
  const line = lastLine(text);
  return line === "" ? "the program printed nothing there" : `its last line is ${JSON.stringify(line)}`;
}

/** What a program's complaint ends with besides what it complains about: stack frames, versions, hints, brackets. */
const NOISE = /^(\s+.*|Node\.js v\d.*|note: run with .*|[\s\])}^~-]*)$/;

/** The last line of an output that says something, short enough for a table; "" where there is none. */
export function lastLine(text: string): string {
  // A bar of progress rewrites its line.
  const lines = text.replaceAll(/\x1b\[[\d;?]*[A-Za-z]/g, "").split(/[\r\n]+/);
  const line = lines.findLast((one) => !NOISE.test(one)) ?? lines.findLast((one) => one.trim() !== "") ?? "";
  const plain = line.trim();
  return plain.length > MOST_LENGTH ? `${plain.slice(0, MOST_LENGTH - 3)}...` : plain;
}

/** What was written to an output from a byte on; "" where nobody can read it. */
export function readOutput(path: string, fromByte = 0): string {
  return readTail(path, fromByte, MOST_BYTES);
}

export function readLastLine(path: string, fromByte = 0): string {
  return lastLine(readTail(path, fromByte, LAST_BYTES));
}

function readTail(path: string, fromByte: number, mostBytes: number): string {
  let file: number | undefined;
  try {
    // A run may put a link or a pipe there.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const stats = fstatSync(file);
    const size = stats.isFile() ? stats.size : 0;
    // Cut while it was written: what is there is of this launch.
    const start = Math.max(fromByte > size ? 0 : fromByte, size - mostBytes);
    const bytes = Buffer.alloc(size - start);
    const length = readSync(file, bytes, 0, bytes.length, start);
    return bytes.toString("utf8", 0, length);
  } catch {
    return "";
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
