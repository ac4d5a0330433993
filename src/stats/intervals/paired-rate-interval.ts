import { known, type Result } from "../result.ts";
import type { Interval } from "./interval.ts";
import { wilsonInterval } from "./wilson-interval.ts";

/** How often both arms passed, only one did, or neither. */
export interface PairedOutcomes {
  both: number;
  onlyFirst: number;
  onlySecond: number;
  neither: number;
}

/**
 * An interval for the difference of two success rates on the same tasks, first − second: the arms' Wilson
 * intervals put together with the correlation of their outcomes. Sound where a rate is 0 or 1 and where few tasks
 * tell the arms apart, which the t interval of the differences is not.
 * Source: R. G. Newcombe, Statistics in Medicine 17 (1998), 2635-2650, method 10.
 */
export function pairedRateInterval(
  outcomes: PairedOutcomes,
  { level = 0.95 }: { level?: number } = {},
): Result<Interval> {
  const { both, onlyFirst, onlySecond, neither } = outcomes;
  const n = both + onlyFirst + onlySecond + neither;
  const a = wilsonInterval(both + onlyFirst, n, { level });
  const b = wilsonInterval(both + onlySecond, n, { level });
  if (!a.known) return a;
  if (!b.known) return b;
  const estimate = (onlyFirst - onlySecond) / n;
  const phi = correlation(outcomes, n);
  const reach = (x: number, y: number) => Math.sqrt(Math.max(0, x * x - 2 * phi * x * y + y * y));
  const low = estimate - reach(a.estimate - a.low, b.high - b.estimate);
  const high = estimate + reach(a.high - a.estimate, b.estimate - b.low);
  return known({ estimate, low, high, level, side: "two-sided", method: "Newcombe, paired", cautions: [] });
}

/** With Newcombe's continuity correction of a positive numerator. */
function correlation({ both, onlyFirst, onlySecond, neither }: PairedOutcomes, n: number): number {
  const first = both + onlyFirst;
  const second = both + onlySecond;
  const margins = first * (n - first) * second * (n - second);
  if (margins === 0) return 0;
  const product = both * neither - onlyFirst * onlySecond;
  const corrected = product > n / 2 ? product - n / 2 : Math.min(product, 0);
  return corrected / Math.sqrt(margins);
}
