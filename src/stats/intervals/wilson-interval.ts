import { normalQuantile } from "../distributions/normal-quantile.ts";
import { requireFraction } from "../options.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import type { Interval, IntervalOptions } from "./interval.ts";
import { proportionProblem } from "./proportion-problem.ts";

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
