import { subsetSumsOfSize } from "../resampling/add-sums.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { pairProblem, type Sample } from "../sample.ts";
import { choose } from "../special/choose.ts";
import { midranks } from "../summaries/ranks.ts";
import { exactTails, floorCaution, normalP, sidedP, type TestOptions, type TestResult } from "./p-value.ts";

export interface MannWhitneyOptions extends TestOptions {
  /** Exact up to 50 values together unless told, with ties too. */
  method?: "exact" | "normal";
  continuity?: boolean;
}

/**
 * The Mann-Whitney test on two independent samples; the statistic is U of the first, the pairs in which it is
 * greater, ties half. It tests that both come from one distribution; read as a test of P(X > Y) = ½ it needs
 * equal spreads (with unequal ones and sizes it errs, as the t test did before Welch).
 * Source: H. B. Mann and D. R. Whitney, Ann. Math. Stat. 18 (1947), 50-60; ties: E. L. Lehmann,
 * Nonparametrics (1975), 1.4. O(n log n), or O(N m N²) for the exact distribution.
 */
export function mannWhitneyTest(
  xs: Sample,
  ys: Sample,
  options: MannWhitneyOptions = {},
): Result<TestResult> {
  const { side = "two-sided", continuity = true } = options;
  const problem = pairProblem(xs, ys, 1);
  if (problem) return unknownBecause(problem);
  const m = xs.length;
  const n = ys.length;
  const { ranks, tieTerm } = midranks([...Array.from(xs), ...Array.from(ys)]);
  const total = m + n;
  if (tieTerm === total ** 3 - total) return unknownBecause("all values are equal");
  let rankSum = 0;
  for (let i = 0; i < m; i++) rankSum += ranks[i]!;
  const statistic = rankSum - (m * (m + 1)) / 2;
  if ((options.method ?? (total <= 50 ? "exact" : "normal")) === "exact") {
    const tails = exactRankTails(ranks, m, rankSum);
    const floor = (side === "two-sided" ? 2 : 1) / choose(total, m);
    const p = sidedP(tails.below, tails.above, side);
    const cautions = floorCaution(floor, `samples of ${m} and ${n}`);
    return known({ statistic, p, side, method: "Mann-Whitney, exact", cautions, floor });
  }
  const sd = Math.sqrt(((m * n) / 12) * (total + 1 - tieTerm / (total * (total - 1))));
  const p = normalP(statistic - (m * n) / 2, sd, { side, continuity });
  return known({ statistic, p, side, method: "Mann-Whitney, normal", cautions: [] });
}

/** Tails of the first sample's rank sum over all ways to label the values; counted on the smaller sample. */
function exactRankTails(ranks: Float64Array, m: number, rankSum: number): { below: number; above: number } {
  const unit = ranks.some((rank) => rank % 1 !== 0) ? 2 : 1;
  const weights = Array.from(ranks, (rank) => unit * rank);
  const total = ranks.length;
  if (m <= total - m) return exactTails(subsetSumsOfSize(weights, m), unit * rankSum);
  const rest = (total * (total + 1)) / 2 - rankSum;
  const { below, above } = exactTails(subsetSumsOfSize(weights, total - m), unit * rest);
  return { below: above, above: below };
}
