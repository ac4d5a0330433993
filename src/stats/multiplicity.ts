import { known, type Result, unknownBecause } from "./result.ts";
import type { Sample } from "./sample.ts";

/** Bonferroni's adjustment, m · p: simple and never better than Holm's; also the level for simultaneous intervals. */
export function bonferroni(ps: Sample): Result<Adjusted> {
  return adjust(ps, (_, m) => m, { step: "down" });
}

/**
 * Holm's adjustment: the chance of even one false claim among all stays below alpha, whatever the tests share.
 * For a family of claims. Never worse than Bonferroni. Source: S. Holm, Scand. J. Stat. 6 (1979), 65-70.
 */
export function holm(ps: Sample): Result<Adjusted> {
  return adjust(ps, (rank, m) => m - rank + 1, { step: "down" });
}

/** Hochberg's step-up adjustment: a little stronger than Holm's, for independent tests. Biometrika 75 (1988), 800-802. */
export function hochberg(ps: Sample): Result<Adjusted> {
  return adjust(ps, (rank, m) => m - rank + 1, { step: "up" });
}

/**
 * Benjamini and Hochberg's adjustment: of what is called a discovery, at most a share alpha is false on average.
 * For a screen of many arms, whose finds are confirmed on fresh seeds. Source: JRSS B 57 (1995), 289-300.
 */
export function benjaminiHochberg(ps: Sample): Result<Adjusted> {
  return adjust(ps, (rank, m) => m / rank, { step: "up" });
}

/** Benjamini and Hochberg's guarantee under any dependence, at the price of a factor ln m. Ann. Stat. 29 (2001), 1165. */
export function benjaminiYekutieli(ps: Sample): Result<Adjusted> {
  let harmonic = 0;
  for (let i = 1; i <= ps.length; i++) harmonic += 1 / i;
  return adjust(ps, (rank, m) => (harmonic * m) / rank, { step: "up" });
}

/** Adjusted p-values, in the order of the originals. */
export interface Adjusted {
  adjusted: readonly number[];
}

/**
 * What all step-wise adjustments share: p-values in rising order are multiplied by a factor of their rank and made
 * monotone, from the smallest up (`step: "down"`, as Holm) or from the largest down (`"up"`, as Hochberg).
 * Source: S. P. Wright, "Adjusted p-values for simultaneous inference", Biometrics 48 (1992), 1005-1013.
 */
function adjust(
  ps: Sample,
  factor: (rank: number, count: number) => number,
  { step }: { step: "down" | "up" },
): Result<Adjusted> {
  const m = ps.length;
  if (m === 0) return unknownBecause("there are no p-values");
  for (let i = 0; i < m; i++) {
    if (!(ps[i]! >= 0 && ps[i]! <= 1))
      return unknownBecause(`p-value ${i + 1} of ${m} is ${ps[i]}, not between 0 and 1`);
  }
  const order = Array.from({ length: m }, (_, i) => i).sort((i, j) => ps[i]! - ps[j]!);
  const adjusted = new Array<number>(m).fill(1);
  let bound = step === "down" ? 0 : 1;
  for (let k = 0; k < m; k++) {
    const rank = step === "down" ? k + 1 : m - k;
    const at = order[rank - 1]!;
    const scaled = Math.min(1, ps[at]! * factor(rank, m));
    bound = step === "down" ? Math.max(bound, scaled) : Math.min(bound, scaled);
    adjusted[at] = bound;
  }
  return known({ adjusted });
}
