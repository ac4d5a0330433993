import { onOneLine, withoutControls } from "../core/errors.ts";
import type { Study } from "../core/study.ts";

/** Colours only on a terminal, and never against NO_COLOR. */
export function styleFor(stream: NodeJS.WriteStream) {
  const isColoured = (stream.isTTY === true && !process.env.NO_COLOR) || process.env.FORCE_COLOR === "1";
  const paint = (code: number) => (text: string) => (isColoured ? `\x1b[${code}m${text}\x1b[0m` : text);
  return {
    bold: paint(1),
    dim: paint(2),
    red: paint(31),
    green: paint(32),
    yellow: paint(33),
    cyan: paint(36),
  };
}

/** Control characters from data must not steer the terminal. */
export const printable = withoutControls;

/** What Assay itself sends to a terminal: colours, and ways to begin a line or a screen anew. */
const OWN_SEQUENCE = /(\x1b\[(?:0|1|2|31|32|33|36)m|\x1b\[[KHJ]|\x1b\[[23]J|\r)/;

/** The last line of defence: whatever names and messages hold, nothing but Assay's own sequences reaches a terminal. */
export function guardTerminal(stream: Pick<NodeJS.WriteStream, "isTTY" | "write">): void {
  if (!stream.isTTY) return;
  const write = stream.write.bind(stream) as (...words: unknown[]) => boolean;
  stream.write = ((chunk: unknown, ...rest: unknown[]) =>
    write(typeof chunk === "string" ? guarded(chunk) : chunk, ...rest)) as typeof stream.write;
}

function guarded(text: string): string {
  return text
    .split(OWN_SEQUENCE)
    .map((part, i) => (i % 2 === 1 ? part : withoutControls(part)))
    .join("");
}

/** As many characters as fit on a line of the terminal; what goes to a file or a pipe has no end. */
export function room(stream: Pick<NodeJS.WriteStream, "isTTY" | "columns"> = process.stdout): number {
  return (stream.isTTY && stream.columns) || Number.POSITIVE_INFINITY;
}

/** What stays together when a line is broken: words, commands in backquotes, patterns in quotes. */
const UNBROKEN = /\s*(?:`[^`]*`|(?<!\S)'[^']*'|\S)+/g;

/** Sentences broken between words where the terminal ends, each line indented like the first. */
export function prose(text: string, width = room()): string {
  return text
    .split("\n")
    .map((line) => (lengthOf(line) <= width ? line : broken(line, width)))
    .join("\n");
}

/** As many columns as it takes: colours take none. */
function lengthOf(text: string): number {
  return text.replaceAll(/\x1b\[\d*m/g, "").length;
}

function broken(line: string, width: number): string {
  const indent = /^\s*/.exec(line)![0];
  const lines: string[] = [];
  let current = "";
  for (const [piece] of line.matchAll(UNBROKEN)) {
    const isTooLong = current !== "" && lengthOf(current + piece) > width;
    if (isTooLong) lines.push(current);
    current = isTooLong ? indent + piece.trimStart() : current + piece;
  }
  return [...lines, current].join("\n");
}

/**
 * Columns as wide as their widest cell; numbers to the right. Where that is too wide for the terminal, long headings
 * take several lines; then what is the same in all rows stands above them; at last each row is a block.
 */
export function table(header: string[], rows: (string | number)[][], width = room()): string {
  const cells = rows.map((row) => header.map((_, i) => onOneLine(String(row[i] ?? ""))));
  const whole = drawn(header, cells, (name) => [name]);
  if (widthOf(whole) <= width) return whole;
  const higher = drawn(header, cells);
  if (widthOf(higher) <= width) return higher;
  const { shared, header: fewer, rows: narrower } = withoutRepeats(header, cells);
  const short = drawn(fewer, narrower);
  if (widthOf(short) > width) return blocks(header, cells);
  return `${prose(shared.join(", "), width)}\n\n${short}`;
}

function drawn(header: readonly string[], rows: readonly string[][], heading = lowHeading): string {
  const body = header.map((_, i) => Math.max(0, ...rows.map((row) => row[i]!.length)));
  const headings = header.map((name, i) => heading(name, body[i]!));
  const widths = headings.map((lines, i) => Math.max(body[i]!, ...lines.map(({ length }) => length)));
  const isNumeric = header.map(
    (_, i) => rows.length > 0 && rows.every((row) => /^[-+]?[\d.,%±\s]*$/.test(row[i]!)),
  );
  const line = (row: string[]) =>
    row
      .map((cell, i) => (isNumeric[i] ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
      .join("  ")
      .trimEnd();
  const most = Math.max(...headings.map(({ length }) => length));
  return [
    ...Array.from({ length: most }, (_, i) => line(headings.map((lines) => lines[i] ?? ""))),
    widths.map((width) => "-".repeat(width)).join("  "),
    ...rows.map(line),
  ].join("\n");
}

function widthOf(text: string): number {
  return Math.max(...text.split("\n").map(({ length }) => length));
}

/** A column's name on as many lines as keep the column as narrow as its cells. */
function lowHeading(name: string, width: number): string[] {
  const longest = Math.max(...name.split(" ").map(({ length }) => length));
  return prose(name, Math.max(width, longest)).split("\n");
}

/** Columns that are the same in all rows become `name value`; one that repeats the column before it becomes one with it. */
function withoutRepeats(header: readonly string[], rows: readonly string[][]) {
  const isShared = (i: number) => rows.length > 1 && rows.every((row) => row[i] === rows[0]![i]);
  const repeats = (i: number) =>
    i > 0 && !isShared(i - 1) && rows.every((row) => row[i] === row[i - 1] && row[i] !== undefined);
  const kept = header.flatMap((_, i) => (isShared(i) || repeats(i) ? [] : [i]));
  return {
    shared: header.flatMap((name, i) => (isShared(i) ? [`${name} ${rows[0]![i]}`.trim()] : [])),
    header: kept.map((i) => (repeats(i + 1) ? `${header[i]}, ${header[i + 1]}` : header[i]!)),
    rows: rows.map((row) => kept.map((i) => row[i]!)),
  };
}
/** Each cell on a line of its own, behind the name of its column; empty ones are left out. */
function blocks(header: string[], rows: string[][]): string {
  const width = Math.max(...header.map(({ length }) => length));
  const block = (row: string[]) =>
    row.flatMap((cell, i) => (cell === "" ? [] : `${header[i]!.padEnd(width)}  ${cell}`)).join("\n");
  return rows.map(block).join("\n\n");
}

/** What the study's file says and Assay does not do: on stderr, so that a table stays a table. The report has the rest. */
export function printWarnings({ warnings = [] }: Study): void {
  const style = styleFor(process.stderr);
  for (const warning of warnings.filter(({ level }) => level === "warn"))
    process.stderr.write(`${style.bold("warning:")} ${printable(warning.text)}\n`);
}
