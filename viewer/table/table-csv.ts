import { spreadsheetCell } from "../../src/core/escape.ts";
import type { Column } from "./run-store.ts";

/** The rows as CSV with full digits. Cells that a spreadsheet would run as a formula are neutralised. */
export function tableCsv(columns: readonly Column[], rows: Uint32Array): string {
  const lines = [columns.map(({ name }) => spreadsheetCell(name)).join(",")];
  for (const row of rows) lines.push(columns.map((column) => spreadsheetCell(column.value(row))).join(","));
  return `${lines.join("\n")}\n`;
}
