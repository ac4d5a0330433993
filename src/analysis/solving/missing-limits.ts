/** Between what a mean lies, whatever the missing values would have been. */
export interface Limits {
  low: number;
  high: number;
}

/**
 * The mean of shares if all missing ones were 0, and if all were 1; null where none is missing.
 * Source: C. F. Manski, Am. Econ. Rev. 80 (1990), 319-323.
 */
export function missingLimits(values: readonly (number | null)[]): Limits | null {
  const there = values.filter((value) => value !== null);
  const missing = values.length - there.length;
  if (missing === 0) return null;
  const total = there.reduce((sum, value) => sum + value, 0);
  return { low: total / values.length, high: (total + missing) / values.length };
}
