import { chiScaleMean } from "../special/chi-scale-mean.ts";
import { normalCdf } from "./normal-cdf.ts";
import { tCdf } from "./t-cdf.ts";

/**
 * P(T <= t) for the noncentral t: T = (Z + shift) / S with S = sqrt(χ²/df). The law of a t statistic where
 * there is an effect, so what power rests on. Computed as the mean of Φ(t S − shift), which holds for any shift,
 * where the usual series (AS 243) underflows beyond about 37. Absolute error about 1e-12.
 * Source: N. L. Johnson, S. Kotz, N. Balakrishnan, Continuous Univariate Distributions 2 (1995), ch. 31.
 */
export function noncentralTCdf(t: number, df: number, shift: number): number {
  if (shift === 0) return tCdf(t, df);
  return chiScaleMean((s) => normalCdf(t * s - shift), df);
}
