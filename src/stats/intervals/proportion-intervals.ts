import { betaQuantile } from "../distributions/beta-quantile.ts";
import { normalQuantile } from "../distributions/normal.ts";
import { requireFraction } from "../options.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import type { Proportion } from "../tests/two-proportion-test.ts";
import { type Interval, type IntervalOptions, tailShares } from "./interval.ts";

/**
 * Wilson's interval for a proportion: successes out of n independent tries. Unlike p ± 1.96 se it never leaves
 * [0, 1], has a width at 0 and at n successes, and covers near its level even at n = 10.
 * Source: E. B. Wilson, JASA 22 (1927), 209-212; L. D. Brown, T. T. Cai, A. DasGupta, Stat. Sci. 16 (2001).
 */
export function wilsonInterval(
  successes: number,
  n: number,
  options: IntervalOptions = {},
): Result<Interval> {
  const level = requireFraction(options.level ?? 0.95, "level");
  const side = options.side ?? "two-sided";
  const problem = proportionProblem(successes, n);
  if (problem) return unknownBecause(problem);
  const z = normalQuantile(side === "two-sided" ? (1 + level) / 2 : level);
  const p = successes / n;
  const centre = (successes + (z * z) / 2) / (n + z * z);
  const half = (z / (n + z * z)) * Math.sqrt(n * p * (1 - p) + (z * z) / 4);
  const low = side === "less" || successes === 0 ? 0 : centre - half;
  const high = side === "greater" || successes === n ? 1 : centre + half;
  return known({ estimate: p, low, high, level, side, method: "Wilson", cautions: [] });
}

/**
 * The Clopper-Pearson interval for a proportion: never covers less than its level, so usually more. For safety
 * claims ("fails at most this often"); elsewhere Wilson's is shorter. Source: Biometrika 26 (1934), 404-413.
 */
export function clopperPearsonInterval(
  successes: number,
  n: number,
  options: IntervalOptions = {},
): Result<Interval> {
  const level = requireFraction(options.level ?? 0.95, "level");
  const side = options.side ?? "two-sided";
  const problem = proportionProblem(successes, n);
  if (problem) return unknownBecause(problem);
  const shares = tailShares(level, side);
  const low =
    shares.low === null || successes === 0 ? 0 : betaQuantile(shares.low, successes, n - successes + 1);
  const high =
    shares.high === null || successes === n ? 1 : betaQuantile(shares.high, successes + 1, n - successes);
  return known({ estimate: successes / n, low, high, level, side, method: "Clopper-Pearson", cautions: [] });
}

/**
 * An interval for the difference of two independent success rates, first − second, put together from their Wilson
 * intervals: sound also where a rate is 0 or 1, which p ± 1.96 se is not.
 * Source: R. G. Newcombe, Statistics in Medicine 17 (1998), 873-890, method 10.
 */
export function proportionDifferenceInterval(
  first: Proportion,
  second: Proportion,
  { level = 0.95 }: { level?: number } = {},
): Result<Interval> {
  requireFraction(level, "level");
  const a = wilsonInterval(first.successes, first.n, { level });
  const b = wilsonInterval(second.successes, second.n, { level });
  if (!a.known) return a;
  if (!b.known) return b;
  const estimate = a.estimate - b.estimate;
  const low = estimate - Math.hypot(a.estimate - a.low, b.high - b.estimate);
  const high = estimate + Math.hypot(a.high - a.estimate, b.estimate - b.low);
  return known({ estimate, low, high, level, side: "two-sided", method: "Newcombe", cautions: [] });
}

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

/** Why counts are not a proportion, or undefined if they are. */
export function proportionProblem(successes: number, n: number): string | undefined {
  if (!Number.isInteger(n) || !Number.isInteger(successes))
    return "successes and tries must be whole numbers";
  if (n < 1) return "there are no tries";
  if (successes < 0 || successes > n) return `${successes} successes out of ${n} tries are impossible`;
  return undefined;
}
