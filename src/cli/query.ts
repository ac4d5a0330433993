import { queryStudy } from "../api/query-study.ts";
import { findStudy } from "../archive/read-records.ts";
import { csvCell } from "../core/escape.ts";
import { numberText } from "../core/number-text.ts";
import { table } from "./terminal.ts";

interface QueryOptions {
  outRoot?: string;
  json?: boolean;
  format?: "table" | "csv" | "json";
}

export async function query(name: string, sql: string, options: QueryOptions): Promise<void> {
  const { columns, rows } = await queryStudy(findStudy(name, options.outRoot), sql);
  if (options.json || options.format === "json") console.log(JSON.stringify(rows));
  else if (options.format === "csv") {
    console.log(
      [columns, ...rows.map((row) => columns.map((column) => row[column]))]
        .map((cells) => cells.map(csvCell).join(","))
        .join("\n"),
    );
  } else
    console.log(
      table(
        columns,
        rows.map((row) => columns.map((column) => cellText(row[column]))),
      ),
    );
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  // Whole and large numbers may be seeds, times and counts that somebody wants to use: as they are.
  if (typeof value === "number")
    return Number.isInteger(value) || Math.abs(value) >= 1e4 ? String(value) : numberText(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}
