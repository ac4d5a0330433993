import { studentizedRangeCdf } from "../distributions/studentized-range-cdf.ts";
import { requireFraction } from "../options.ts";
import { known, type Result } from "../result.ts";
import type { Sample } from "../sample.ts";
import { findRoot } from "../special/find-root.ts";
import { moments } from "../summaries/moments.ts";
import { anovaTest } from "./anova-test.ts";

/** One pair of groups, second − first, with an interval and p that hold for all pairs at once. */
export interface TukeyPair {
  first: number;
  second: number;
  difference: number;
  low: number;
  high: number;
  p: number;
}

/**
 * Tukey's comparison of all pairs of groups that spread alike; for unequal sizes Tukey and Kramer's, which is
 * slightly conservative. Where spreads differ, use Welch's tests with Holm's adjustment.
 * Sources: J. W. Tukey (1953); C. Y. Kramer, Biometrics 12 (1956), 307-310.
 */
export function tukeyTest(
  groups: readonly Sample[],
  { level = 0.95 }: { level?: number } = {},
): Result<{ pairs: readonly TukeyPair[] }> {
  requireFraction(level, "level");
  const anova = anovaTest(groups);
  if (!anova.known) return anova;
  const { dfWithin, meanSquareWithin } = anova;
  const k = groups.length;
  let top = 4;
  while (studentizedRangeCdf(top, k, dfWithin) < level) top *= 2;
  const critical = findRoot((q) => studentizedRangeCdf(q, k, dfWithin) - level, 0, top);
  const parts = groups.map(moments);
  const pairs: TukeyPair[] = [];
  for (let first = 0; first < k; first++) {
    for (let second = first + 1; second < k; second++) {
      const difference = parts[second]!.mean - parts[first]!.mean;
      const error = Math.sqrt((meanSquareWithin / 2) * (1 / parts[first]!.n + 1 / parts[second]!.n));
      const half = critical * error;
      const p = Math.max(0, 1 - studentizedRangeCdf(Math.abs(difference) / error, k, dfWithin));
      pairs.push({ first, second, difference, low: difference - half, high: difference + half, p });
    }
  }
  return known({ pairs });
}
