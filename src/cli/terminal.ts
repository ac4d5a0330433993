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
export function printable(text: string): string {
  return text.replaceAll(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, "�");
}

/** Columns as wide as their widest cell; numbers to the right. */
export function table(header: string[], rows: (string | number)[][]): string {
  const cells = [header, ...rows.map((row) => row.map((cell) => printable(String(cell))))];
  const widths = header.map((_, i) => Math.max(...cells.map((row) => (row[i] ?? "").length)));
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
