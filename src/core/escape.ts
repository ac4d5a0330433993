/** A word as a POSIX shell takes it literally: plain ones as they are, others in single quotes. */
export function shellWord(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A text without the byte order mark that some editors and libraries put in front of it. */
export function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** Rows of a CSV text (RFC 4180) by column name. */
export function parseCsv(marked: string): Record<string, string>[] {
  const text = withoutMark(marked);
  const [header, ...rows] = text.includes('"') ? parseQuoted(text) : parsePlain(text);
  if (!header) return [];
  return rows.map((cells) => {
    const row: Record<string, string> = {};
    for (let i = 0; i < header.length; i++) row[header[i]!] = cells[i] ?? "";
    return row;
  });
}

function parsePlain(text: string): string[][] {
  const lines = text.includes("\r") ? text.split(/\r?\n/) : text.split("\n");
  return lines.filter((line) => line !== "").map((line) => line.split(","));
}

function parseQuoted(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  while (cell.lastIndex < text.length) {
    const start = cell.lastIndex;
    const match = cell.exec(text);
    if (!match) throw new Error(`a quote is not closed near character ${start}`);
    row.push(match[1] !== undefined ? match[1].replaceAll('""', '"') : match[2]!);
    if (match[3] !== ",") {
      if (row.length > 1 || row[0] !== "") rows.push(row);
      row = [];
    } else if (cell.lastIndex === text.length) row.push("");
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

/** A cell as CSV wants it, its value as it is: for programs, which would take anything added for a part of it. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The same for people's spreadsheets: text that one would run as a formula gets an apostrophe in front. */
export function spreadsheetCell(value: unknown): string {
  const text = typeof value === "object" && value !== null ? JSON.stringify(value) : value;
  return csvCell(typeof text === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
}

/** Nothing in the data can become markup; characters that no page shows are replaced. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, "�")
    .replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
