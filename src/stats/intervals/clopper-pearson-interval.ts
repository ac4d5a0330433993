import { betaQuantile } from "../distributions/beta-quantile.ts";
import { requireFraction } from "../options.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import type { Interval, IntervalOptions } from "./interval.ts";
import { proportionProblem } from "./proportion-problem.ts";
import { tailShares } from "./tail-shares.ts";

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
