import { plural } from "../../core/number-text.ts";
import { requireCount } from "../options.ts";
import { FastRandom } from "../resampling/fast-random.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { type Sample, sampleProblem } from "../sample.ts";
import { sum } from "../summaries/moments.ts";
import { floorCaution, type TestOptions, type TestResult } from "./p-value.ts";

export interface SignFlipOptions extends TestOptions {
  /** Exact up to 34 differences unless told; beyond, random flips. */
  method?: "exact" | "sampled";
  resamples?: number;
  seed?: number;
}

/**
 * The sign-flip permutation test on paired differences: if the arms don't differ, each difference could as well
 * have had the other sign. Exact for any symmetric distribution at any n, with a floor of 2/2^n: five pairs can't
 * reach .05. The sampled p counts the observed flip too, so it never is 0 and never too small.
 * Sources: R. A. Fisher, The Design of Experiments (1935), 21; B. Phipson and G. K. Smyth, SAGMB 9 (2010), 39.
 */
export function signFlipTest(differences: Sample, options: SignFlipOptions = {}): Result<TestResult> {
  const { side = "two-sided", seed = 1 } = options;
  const resamples = requireCount(options.resamples ?? 9_999, "resamples", 99);
  const problem = sampleProblem(differences, 2, "the list of differences");
  if (problem) return unknownBecause(problem);
  const flipped = Float64Array.from(differences).filter((d) => d !== 0);
  const n = flipped.length;
  if (n === 0) return unknownBecause("no pair differs");
  const total = sum(flipped);
  const statistic = total / differences.length;
  const observed = side === "two-sided" ? Math.abs(total) : side === "greater" ? total : -total;
  const magnitudes = flipped.map(Math.abs);
  const threshold = observed - 1e-11 * sum(magnitudes);
  const exact = (options.method ?? (n <= 34 ? "exact" : "sampled")) === "exact";
  if (exact && n > 48)
    return unknownBecause(`an exact answer needs all 2^${n} flips: leave the method to the test`);
  const share = exact
    ? shareOfSignSums(magnitudes, threshold)
    : sampledShare(magnitudes, threshold, { resamples, seed, both: side === "two-sided" });
  const p = Math.min(1, exact && side === "two-sided" ? 2 * share : share);
  const floor = exact ? (side === "two-sided" ? 2 : 1) / 2 ** n : 1 / (resamples + 1);
  const cautions = exact ? floorCaution(floor, plural(n, "differing pair")) : [];
  return known({
    statistic,
    p,
    side,
    method: `sign-flip permutation, ${exact ? "exact" : "sampled"}`,
    cautions,
    floor,
  });
}

type Sampling = { resamples: number; seed: number; both: boolean };

function sampledShare(
  magnitudes: Float64Array,
  threshold: number,
  { resamples, seed, both }: Sampling,
): number {
  const random = new FastRandom(seed, "sign-flip");
  let reached = 1;
  for (let b = 0; b < resamples; b++) {
    let total = 0;
    let bits = 0;
    for (let i = 0; i < magnitudes.length; i++) {
      bits = i % 32 === 0 ? random.bits() : bits >>> 1;
      total += (bits & 1) === 1 ? magnitudes[i]! : -magnitudes[i]!;
    }
    if (total >= threshold || (both && -total >= threshold)) reached++;
  }
  return reached / (resamples + 1);
}

/**
 * The share of the 2^n ways to sign `magnitudes` whose sum is at least `threshold`: exact, by meeting in the
 * middle. The sums of each half are listed and sorted, then two pointers count the pairs: O(2^(n/2)) instead of
 * O(2^n), so thirty pairs take a millisecond.
 * Source: E. Horowitz and S. Sahni, Journal of the ACM 21 (1974), 277-292, applied to sign flips.
 */
function shareOfSignSums(magnitudes: Float64Array, threshold: number): number {
  const half = magnitudes.length >> 1;
  const first = signSums(magnitudes.subarray(0, half)).sort();
  const second = signSums(magnitudes.subarray(half)).sort();
  let reached = 0;
  let from = second.length;
  for (const sum of first) {
    while (from > 0 && sum + second[from - 1]! >= threshold) from--;
    reached += second.length - from;
  }
  return reached / (first.length * second.length);
}

function signSums(magnitudes: Float64Array): Float64Array {
  const sums = new Float64Array(2 ** magnitudes.length);
  let filled = 1;
  for (const x of magnitudes) {
    for (let i = 0; i < filled; i++) {
      sums[filled + i] = sums[i]! - x;
      sums[i]! += x;
    }
    filled *= 2;
  }
  return sums;
}
