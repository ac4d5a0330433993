import type { Interval } from "../intervals/interval.ts";
import { known, type Result } from "../result.ts";
import type { Sample } from "../sample.ts";
import { probabilityOfSuperiority } from "./probability-of-superiority.ts";

/**
 * Cliff's delta: P(X > Y) − P(X < Y), from −1 to 1, which needs nothing but an order of the values.
 * Source: N. Cliff, Psychological Bulletin 114 (1993), 494-509; the interval is that of P(X > Y), rescaled.
 */
export function cliffsDelta(xs: Sample, ys: Sample, options: { level?: number } = {}): Result<Interval> {
  const superiority = probabilityOfSuperiority(xs, ys, options);
  if (!superiority.known) return superiority;
  const rescale = (p: number) => 2 * p - 1;
  const { estimate, low, high } = superiority;
  return known({ ...superiority, estimate: rescale(estimate), low: rescale(low), high: rescale(high) });
}
