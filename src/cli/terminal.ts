import { onOneLine, withoutControls } from "../core/control-characters.ts";

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
function room(): number {
  return process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
}

/** Columns as wide as their widest cell; numbers to the right. Where that is too wide for the terminal, one block per row. */
export function table(header: string[], rows: (string | number)[][], width = room()): string {
  const cells = [header, ...rows.map((row) => row.map((cell) => onOneLine(String(cell))))];
  const widths = header.map((_, i) => Math.max(...cells.map((row) => (row[i] ?? "").length)));
  if (widths.reduce((sum, one) => sum + one + 2, -2) > width) return blocks(header, cells.slice(1));
  const isNumeric = header.map(
    (_, i) => rows.length > 0 && rows.every((row) => /^[-+]?[\d.,%±\s]*$/.test(String(row[i] ?? ""))),
  );
  const line = (row: string[]) =>
    row
      .map((cell, i) => (isNumeric[i] ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
      .join("  ")
      .trimEnd();
  return [
    line(cells[0]!),
    widths.map((width) => "-".repeat(width)).join("  "),
    ...cells.slice(1).map(line),
  ].join("\n");
}

/** Each cell on a line of its own, behind the name of its column; empty ones are left out. */
function blocks(header: string[], rows: string[][]): string {
  const width = Math.max(...header.map(({ length }) => length));
  const block = (row: string[]) =>
    row.flatMap((cell, i) => (cell === "" ? [] : `${header[i]!.padEnd(width)}  ${cell}`)).join("\n");
  return rows.map(block).join("\n\n");
}
