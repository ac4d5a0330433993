import type { Interval, IntervalOptions } from "../intervals/interval.ts";
import { pairedInterval } from "../intervals/paired-interval.ts";
import { welchInterval } from "../intervals/welch-interval.ts";
import type { Result } from "../result.ts";
import type { Sample } from "../sample.ts";

/**
 * The difference of two means, x − y, in the metric's own unit, with its t interval: the effect that a reader can
 * weigh against what it costs. Paired by position if told, Welch's otherwise.
 */
export function meanDifference(
  xs: Sample,
  ys: Sample,
  { paired = false, ...options }: IntervalOptions & { paired?: boolean } = {},
): Result<Interval> {
  return paired ? pairedInterval(xs, ys, options) : welchInterval(xs, ys, options);
}
