import { differences } from "../effects/differences.ts";
import { type Result, unknownBecause } from "../result.ts";
import { pairProblem, type Sample } from "../sample.ts";
import type { Interval, IntervalOptions } from "./interval.ts";
import { tInterval } from "./t-interval.ts";

/**
 * The t interval for the mean of x − y over pairs. Pairs by seed or task take out what the two arms share, which
 * is most of the variance where tasks differ much; average the rollouts within a task first.
 */
export function pairedInterval(xs: Sample, ys: Sample, options: IntervalOptions = {}): Result<Interval> {
  const problem = pairProblem(xs, ys, 2, true);
  return problem ? unknownBecause(problem) : tInterval(differences(xs, ys), options);
}
