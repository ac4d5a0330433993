import { type Result, unknownBecause, type Value } from "../result.ts";
import type { Sample } from "../sample.ts";
import { trimmedMean } from "./trimmed-mean.ts";

/**
 * The mean of the middle half (IQM), over all runs of all tasks. On scores that are only 0 or 1 it says nothing:
 * it sticks at 0 or 1 until a quarter of the runs change, so there it is declined.
 * Source: R. Agarwal et al., "Deep RL at the edge of the statistical precipice", NeurIPS 2021.
 */
export function interquartileMean(xs: Sample): Result<Value> {
  let binary = xs.length > 0;
  for (let i = 0; i < xs.length && binary; i++) binary = xs[i] === 0 || xs[i] === 1;
  if (binary)
    return unknownBecause(
      "on scores that are only 0 or 1 the mean of the middle half says nothing: use the mean",
    );
  return trimmedMean(xs, 0.25);
}
