import { requireFraction } from "../options.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { allEqual, type Sample, sampleProblem } from "../sample.ts";
import { sum } from "../summaries/moments.ts";
import type { Interval, IntervalOptions } from "./interval.ts";
import { tLimits } from "./t-intervals.ts";

export interface ClusteredInterval extends Interval {
  error: number;
  df: number;
  clusters: number;
}

export interface ClusteredOptions extends IntervalOptions {
  /** "cr2" unless told; "miller" is the uncorrected formula of the evals literature with G − 1 degrees of freedom. */
  correction?: "cr2" | "miller";
}

/**
 * An interval for the mean of values that come in clusters (questions on one text, rollouts of one task): values
 * of a cluster move together, so the naive standard error is too small. `clusters` names the cluster of each.
 * CR2 divides each cluster's summed residuals by sqrt(1 − its share), which removes the bias that few clusters
 * have, and takes Satterthwaite's degrees of freedom; for equal clusters that is the t interval of their means.
 * Sources: R. M. Bell and D. F. McCaffrey, Survey Methodology 28 (2002), 169-181; E. Miller, "Adding error bars
 * to evals" (2024), arXiv:2411.00640.
 */
export function clusteredInterval(
  xs: Sample,
  clusters: ArrayLike<string | number>,
  options: ClusteredOptions = {},
): Result<ClusteredInterval> {
  const level = requireFraction(options.level ?? 0.95, "level");
  const { side = "two-sided", correction = "cr2" } = options;
  const problem = sampleProblem(xs, 2);
  if (problem) return unknownBecause(problem);
  if (xs.length !== clusters.length)
    return unknownBecause(`${xs.length} values have ${clusters.length} cluster names`);
  if (allEqual(xs)) return unknownBecause(`all ${xs.length} values are equal, so their spread says nothing`);
  const n = xs.length;
  const mean = sum(xs) / n;
  const groups = residualSums(xs, clusters, mean);
  const count = groups.size;
  if (count < 2)
    return unknownBecause("all values are of one cluster, and clusters are what is counted here");
  let total = 0;
  for (const { residual, size } of groups.values())
    total += correction === "cr2" ? residual ** 2 / (1 - size / n) : residual ** 2;
  const squares = squaredResiduals(xs, mean);
  if (total <= 1e-24 * (squares + mean * mean))
    return unknownBecause("the clusters' means are all equal, so their spread says nothing");
  if (correction === "miller") total += squares / (n - 1);
  const error = Math.sqrt(total) / n;
  const df =
    correction === "cr2" ? clusterDegreesOfFreedom([...groups.values()].map((g) => g.size)) : count - 1;
  const cautions =
    count < 40
      ? [`${count} clusters are few: below about 40 a clustered standard error is itself uncertain`]
      : [];
  const limits = tLimits(mean, error, { df, level, side });
  return known({
    estimate: mean,
    ...limits,
    level,
    side,
    method: `clustered t (${correction})`,
    cautions,
    error,
    df,
    clusters: count,
  });
}

function residualSums(xs: Sample, clusters: ArrayLike<string | number>, mean: number) {
  const groups = new Map<string | number, { residual: number; size: number }>();
  for (let i = 0; i < xs.length; i++) {
    const group = groups.get(clusters[i]!) ?? { residual: 0, size: 0 };
    group.residual += xs[i]! - mean;
    group.size++;
    groups.set(clusters[i]!, group);
  }
  return groups;
}

/** Miller's first term is the ordinary squared standard error, Σe²/(n(n − 1)); n⁻² ΣS² alone has Σe²/n² of it. */
function squaredResiduals(xs: Sample, mean: number): number {
  let total = 0;
  for (let i = 0; i < xs.length; i++) total += (xs[i]! - mean) ** 2;
  return total;
}

/**
 * Satterthwaite's degrees of freedom for the CR2 variance of a mean over clusters of these sizes: G − 1 if all are
 * equal, fewer if some dominate. They depend on how values within a cluster hang together, which is unknown; this
 * takes the smaller of the two extremes, values independent and values within a cluster identical.
 * With w = size/n and b = w²/(1 − w), the variance is a quadratic form whose matrix has the traces below. O(G).
 * Source: R. M. Bell and D. F. McCaffrey (2002); G. W. Imbens and M. Kolesár, Rev. Econ. Stat. 98 (2016), 701-712.
 */
export function clusterDegreesOfFreedom(sizes: readonly number[]): number {
  const n = sizes.reduce((total, size) => total + size, 0);
  const shares = sizes.map((size) => size / n);
  let w2 = 0;
  for (const w of shares) w2 += w * w;
  let b0 = 0;
  let b1 = 0;
  let b2 = 0;
  let squares = 0;
  let trace = 0;
  let own = 0;
  for (const w of shares) {
    const b = (w * w) / (1 - w);
    b0 += b;
    b1 += b * w;
    b2 += b * w * w;
    squares += b * b;
    trace += b * (1 - 2 * w + w2);
    own += b * b * ((1 + w2 - 2 * w) ** 2 - (w2 - 2 * w) ** 2);
  }
  const independent = 1 / (w2 + b0 * b0 - squares);
  const identical = trace ** 2 / (b0 * b0 * w2 * w2 + 2 * b0 * b2 - 4 * w2 * b0 * b1 + 2 * b1 * b1 + own);
  return Math.min(independent, identical);
}
