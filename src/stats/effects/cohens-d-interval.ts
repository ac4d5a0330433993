import { noncentralTCdf } from "../distributions/noncentral-t-cdf.ts";
import type { Interval } from "../intervals/interval.ts";
import { requireFraction } from "../options.ts";
import { known, type Result } from "../result.ts";
import type { Sample } from "../sample.ts";
import { findRoot } from "../special/find-root.ts";
import { cohensD } from "./cohens-d.ts";

/**
 * The interval for Cohen's d (pooled, or of paired differences): the true effects for which the observed t would
 * be neither too large nor too small, from the noncentral t. Exact for normal data with equal spreads.
 * Source: G. Cumming and S. Finch, Educ. Psychol. Meas. 61 (2001), 532-574.
 */
export function cohensDInterval(
  xs: Sample,
  ys: Sample,
  { standardiser = "pooled", level = 0.95 }: { standardiser?: "pooled" | "differences"; level?: number } = {},
): Result<Interval> {
  requireFraction(level, "level");
  const d = cohensD(xs, ys, { standardiser });
  if (!d.known) return d;
  const perUnit =
    standardiser === "pooled" ? Math.sqrt(1 / (1 / xs.length + 1 / ys.length)) : Math.sqrt(xs.length);
  const t = d.value * perUnit;
  const shiftWith = (p: number) => {
    const excess = (shift: number) => noncentralTCdf(t, d.df, shift) - p;
    const reach = 10 + 2 * Math.abs(t);
    return findRoot(excess, t - reach, t + reach);
  };
  const low = shiftWith((1 + level) / 2) / perUnit;
  const high = shiftWith((1 - level) / 2) / perUnit;
  return known({
    estimate: d.value,
    low,
    high,
    level,
    side: "two-sided",
    method: "noncentral t",
    cautions: [],
  });
}
