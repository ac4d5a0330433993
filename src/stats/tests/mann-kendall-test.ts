import { known, type Result, unknownBecause } from "../result.ts";
import { type Sample, sampleProblem } from "../sample.ts";
import { midranks } from "../summaries/ranks.ts";
import { normalP, type TestOptions, type TestResult } from "./p-value.ts";

/**
 * The Mann-Kendall test for a trend along a sequence: the statistic is S, the pairs that rise minus those that
 * fall. It assumes that without a trend every order is as likely, so values that hang together along the sequence
 * make it too sure. Normal approximation with ties and continuity, good from ten values on.
 * Source: H. B. Mann, Econometrica 13 (1945), 245-259; M. G. Kendall, Rank Correlation Methods (1975). O(n²).
 */
export function mannKendallTest(xs: Sample, { side = "two-sided" }: TestOptions = {}): Result<TestResult> {
  const problem = sampleProblem(xs, 4);
  if (problem) return unknownBecause(problem);
  const n = xs.length;
  let statistic = 0;
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) statistic += Math.sign(xs[j]! - xs[i]!);
  }
  const { tieSum } = tieTerms(xs);
  const variance = (n * (n - 1) * (2 * n + 5) - tieSum) / 18;
  if (variance === 0) return unknownBecause("all values are equal");
  // S moves in steps of two, so a whole step towards the centre is twice the usual half.
  const p = normalP(statistic / 2, Math.sqrt(variance) / 2, { side, continuity: true });
  const cautions = n < 10 ? [`${n} values are few for the normal approximation`] : [];
  return known({ statistic, p, side, method: "Mann-Kendall, normal", cautions });
}

/** Sum over groups of t equal values of t(t − 1)(2t + 5). */
function tieTerms(xs: Sample): { tieSum: number } {
  const counts = new Map<number, number>();
  for (const rank of midranks(Array.from(xs)).ranks) counts.set(rank, (counts.get(rank) ?? 0) + 1);
  let tieSum = 0;
  for (const t of counts.values()) tieSum += t * (t - 1) * (2 * t + 5);
  return { tieSum };
}
