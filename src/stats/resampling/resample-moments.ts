import type { FastRandom } from "./fast-random.ts";
import { fillMoments } from "./fill-moments.ts";

/** The mean and the unbiased variance of each of many bootstrap samples. */
export interface ResampledMoments {
  means: Float64Array;
  variances: Float64Array;
}

const CHUNK = 256;

/**
 * Means and variances of bootstrap samples, for the studentised bootstrap. The caller passes values centred at
 * their mean, so that one pass over each resample is accurate enough. O(resamples · n).
 */
export function resampleMoments(
  centred: Float64Array,
  resamples: number,
  { random }: { random: FastRandom },
): ResampledMoments {
  if (centred.length >= 2 ** 21)
    throw new RangeError("the studentised bootstrap is for up to 2,097,151 values");
  const means = new Float64Array(resamples);
  const variances = new Float64Array(resamples);
  for (let start = 0; start < resamples; start += CHUNK) {
    const end = start + CHUNK;
    const part = { means: means.subarray(start, end), variances: variances.subarray(start, end) };
    fillMoments(centred, part, { random });
  }
  return { means, variances };
}
