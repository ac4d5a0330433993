import { UserError } from "../core/errors.ts";

/** Which alternative a test looks at, or which end of an interval is finite. `greater`: the first is greater. */
export type Side = "two-sided" | "greater" | "less";

/** Checks a probability that a caller chose, such as a confidence level; a wrong one is the caller's mistake. */
export function requireFraction(value: number, name: string): number {
  if (value > 0 && value < 1) return value;
  throw new UserError(name, { expected: "a number between 0 and 1", got: String(value) });
}

/** Checks a count that a caller chose, such as the number of resamples. */
export function requireCount(value: number, name: string, atLeast = 1): number {
  if (Number.isInteger(value) && value >= atLeast) return value;
  throw new UserError(name, { expected: `a whole number of at least ${atLeast}`, got: String(value) });
}

/** Checks a positive quantity that a caller chose, such as an effect or a standard deviation. */
export function requirePositive(value: number, name: string): number {
  if (value > 0 && Number.isFinite(value)) return value;
  throw new UserError(name, { expected: "a positive number", got: String(value) });
}
