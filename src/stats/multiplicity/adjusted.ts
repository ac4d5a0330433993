import { known, type Result, unknownBecause } from "../result.ts";
import type { Sample } from "../sample.ts";

/** Adjusted p-values, in the order of the originals. */
export interface Adjusted {
  adjusted: readonly number[];
}

/**
 * What all step-wise adjustments share: p-values in rising order are multiplied by a factor of their rank and made
 * monotone, from the smallest up (`step: "down"`, as Holm) or from the largest down (`"up"`, as Hochberg).
 * Source: S. P. Wright, "Adjusted p-values for simultaneous inference", Biometrics 48 (1992), 1005-1013.
 */
export function adjust(
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
