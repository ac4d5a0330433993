import { known, type Result, unknownBecause } from "../result.ts";
import type { Sample } from "../sample.ts";
import { lnGamma } from "../special/ln-gamma.ts";
import { cohensD, type StandardisedEffect, type Standardiser } from "./cohens-d.ts";

/**
 * Hedges' g: Cohen's d without its upward bias, which at ten runs an arm is 4 %. The exact factor, not its usual
 * approximation. Source: L. V. Hedges, Journal of Educational Statistics 6 (1981), 107-128.
 */
export function hedgesG(
  xs: Sample,
  ys: Sample,
  options: { standardiser?: Standardiser } = {},
): Result<StandardisedEffect> {
  const d = cohensD(xs, ys, options);
  if (!d.known) return d;
  if (d.df < 2) return unknownBecause("with one degree of freedom d has no unbiased form: run more");
  return known({ value: d.value * hedgesFactor(d.df), df: d.df });
}

/** Γ(df/2) / (sqrt(df/2) Γ((df − 1)/2)), which rises to 1. */
function hedgesFactor(df: number): number {
  return Math.exp(lnGamma(df / 2) - lnGamma((df - 1) / 2)) / Math.sqrt(df / 2);
}
