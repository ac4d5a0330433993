import { requireFraction } from "../options.ts";
import { known, type Result } from "../result.ts";
import type { Proportion } from "../tests/two-proportion-test.ts";
import type { Interval } from "./interval.ts";
import { wilsonInterval } from "./wilson-interval.ts";

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
