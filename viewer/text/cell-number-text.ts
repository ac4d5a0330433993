import { numberText } from "../../src/core/number-text.ts";
import type { ColumnRole } from "../../src/reporters/study-view.ts";
import { momentText } from "./time-text.ts";

const AS_WRITTEN: ColumnRole[] = ["param", "seed", "repeat"];

/** What was drawn has up to 17 digits; nobody writes more than these. */
const MOST_WRITTEN = 10;

/** Shorter ones are no numbers of seconds that anybody reads. */
const LEAST_S = 1e-4;

/** A number as a cell shows it: parameters as they were written, drawn ones and results with the digits that matter. */
export function cellNumberText(value: number, role: ColumnRole): string {
  if (role === "started") return momentText(value);
  if (role === "time" && value > 0 && value < LEAST_S) return `${numberText(value * 1e6, 3)} µs`;
  const whole = String(value);
  if (AS_WRITTEN.includes(role) && (whole.length <= MOST_WRITTEN || Number.isInteger(value))) return whole;
  return numberText(value);
}
