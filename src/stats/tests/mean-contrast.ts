import { known, type Result, unknownBecause } from "../result.ts";
import { pairProblem, type Sample } from "../sample.ts";
import { moments } from "../summaries/moments.ts";

/** The difference of two means with its standard error and degrees of freedom. */
export interface Contrast {
  difference: number;
  error: number;
  df: number;
}

/** Welch's contrast of two independent means, or Student's pooled one; what the test and the interval share. */
export function meanContrast(
  xs: Sample,
  ys: Sample,
  { equalVariance = false }: { equalVariance?: boolean } = {},
): Result<Contrast> {
  const problem = pairProblem(xs, ys, 2);
  if (problem) return unknownBecause(problem);
  const a = moments(xs);
  const b = moments(ys);
  if (a.variance === 0 && b.variance === 0) {
    return unknownBecause(
      "each sample's values are all equal, so there is no spread to compare the difference with",
    );
  }
  const difference = a.mean - b.mean;
  if (equalVariance) {
    const df = a.n + b.n - 2;
    const pooled = ((a.n - 1) * a.variance + (b.n - 1) * b.variance) / df;
    return known({ difference, error: Math.sqrt(pooled * (1 / a.n + 1 / b.n)), df });
  }
  const va = a.variance / a.n;
  const vb = b.variance / b.n;
  const df = (va + vb) ** 2 / (va ** 2 / (a.n - 1) + vb ** 2 / (b.n - 1));
  return known({ difference, error: Math.sqrt(va + vb), df });
}
