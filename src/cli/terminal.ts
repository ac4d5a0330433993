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

export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `12,345`. */
export function countText(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 run`, `2 runs`. */
export function plural(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Four significant digits (ten for large numbers, such as times), without needless zeros. */
export function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  const magnitude = Math.abs(value);
  if (magnitude >= 1e15 || (magnitude < 1e-3 && magnitude > 0)) return value.toExponential(3);
  return String(Number(value.toPrecision(magnitude >= 1e4 ? 10 : 4)));
}
