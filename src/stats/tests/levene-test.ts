import { known, type Result, unknownBecause } from "../result.ts";
import type { Sample } from "../sample.ts";
import { sum } from "../summaries/moments.ts";
import { quantileOfSorted } from "../summaries/quantiles.ts";
import { anovaTest } from "./anova-test.ts";
import { groupsProblem, type TestResult } from "./p-value.ts";

/**
 * Levene's test that groups spread alike, with distances from the median (Brown and Forsythe's, robust) or from
 * the mean. A diagnostic, never a gate between Student's and Welch's test: use Welch's anyway.
 * Sources: H. Levene (1960); M. B. Brown and A. B. Forsythe, JASA 69 (1974), 364-367.
 */
export function leveneTest(
  groups: readonly Sample[],
  { centre = "median" }: { centre?: "median" | "mean" } = {},
): Result<TestResult> {
  const problem = groupsProblem(groups, 2);
  if (problem) return unknownBecause(problem);
  const distances = groups.map((group) => {
    const sorted = Float64Array.from(group).sort();
    const middle = centre === "median" ? quantileOfSorted(sorted, 0.5) : sum(sorted) / sorted.length;
    return sorted.map((x) => Math.abs(x - middle));
  });
  const result = anovaTest(distances);
  return result.known ? known({ ...result, method: `Levene (${centre})` }) : result;
}
