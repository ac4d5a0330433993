import { numberText } from "../../src/core/number-text.ts";
import type { ColumnRole } from "../../src/reporters/study-view.ts";
import { momentText } from "./time-text.ts";

const AS_WRITTEN: ColumnRole[] = ["param", "seed", "repeat"];

/** A number as a cell shows it: parameters as they were written, results with the digits that matter. */
export function cellNumberText(value: number, role: ColumnRole): string {
  if (role === "started") return momentText(value);
  if (AS_WRITTEN.includes(role)) return String(value);
  return numberText(value);
}
