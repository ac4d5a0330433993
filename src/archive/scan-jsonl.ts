import { UserError } from "../core/errors.ts";
import { readNamed } from "../host/files.ts";
import type { CsvRow } from "./scan-csv.ts";

/** Beyond this a text has no room in one string. */
const MOST_BYTES = 400_000_000;

/** Reads a file of JSON lines as a table: a row for each object, a column for each name that any of them has. */
export function scanJsonl(path: string, begin: (columns: string[]) => (row: CsvRow) => void): number {
  const objects = readNamed(path, { mostBytes: MOST_BYTES })
    .split("\n")
    .flatMap((line, i) => (line.trim() === "" ? [] : [objectIn(line, `${path}:${i + 1}`)]));
  if (objects.length === 0) throw new UserError(`${path} is empty`, { expected: "one JSON object per line" });
  const columns = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  const onRow = begin(columns);
  for (const [i, object] of objects.entries())
    onRow({ number: i + 1, text: (column) => textOf(object[columns[column]!]) });
  return objects.length;
}

function objectIn(line: string, place: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new UserError(place, { expected: "one JSON object per line", got: line.slice(0, 80) });
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
