import { plural } from "../../core/number-text.ts";
import { requireCount, requireFraction } from "../options.ts";
import { FastRandom } from "../resampling/fast-random.ts";
import { select } from "../resampling/select.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { allEqual, type Sample, sampleProblem } from "../sample.ts";
import { moments } from "../summaries/moments.ts";
import { floorCaution, sidedP } from "../tests/p-value.ts";
import type { PermutationDifference, PermutationOptions } from "./permutation-difference.ts";

/** Up to so many differences all flips are taken; beyond, random ones. */
const MOST_FLIPPED = 17;

/**
 * The mean of paired differences by flipping their signs: if the differences lie symmetrically about `delta`, each could as
 * well lie as far on the other side of it. Exact for that at any n. The interval holds every `delta` that is not rejected, each tail
 * by itself, so p and interval agree. Flipped about `delta`, a set of differences raises the mean of all if its own is at most
 * `delta`: so the interval's ends are two of the means of all sets in order, and nothing has to be searched for.
 * Sources: R. A. Fisher, The Design of Experiments (1935), 21; J. A. Hartigan, JASA 64 (1969), 1303-1317; the observed flip
 * counted among random ones: B. Phipson and G. K. Smyth, SAGMB 9 (2010), 39.
 */
export function signFlipDifference(
  differences: Sample,
  options: Omit<PermutationOptions, "trim"> = {},
): Result<PermutationDifference> {
  const { side = "two-sided", seed = 1 } = options;
  const level = requireFraction(options.level ?? 0.95, "level");
  const resamples = requireCount(options.resamples ?? 9_999, "resamples", 99);
  const problem = sampleProblem(differences, 2, "the list of differences");
  if (problem) return unknownBecause(problem);
  if (allEqual(differences))
    return unknownBecause(`all ${differences.length} differences are equal, so their spread says nothing`);
  const { n, mean: estimate } = moments(differences);
  const isExact = n <= MOST_FLIPPED;
  const means = isExact ? meansOfAllSets(differences) : meansOfSomeSets(differences, { resamples, seed });
  // The flip of nothing is what was seen, and counts as beyond it on both sides.
  const ways = means.length + 1;
  const near = 1e-12 * Array.from(differences).reduce((sum, d) => sum + Math.abs(d), 0);
  let [up, down] = [1, 1];
  for (const mean of means) {
    if (mean <= near) up++;
    if (mean >= -near) down++;
  }
  // So many flips may lie beyond a `delta` that is rejected.
  const most = Math.floor((side === "two-sided" ? (1 - level) / 2 : 1 - level) * ways + 1e-9);
  const isOpen = (end: "less" | "greater") => side === end || most === 0;
  const low = isOpen("less") ? Number.NEGATIVE_INFINITY : select(means, most - 1);
  const high = isOpen("greater") ? Number.POSITIVE_INFINITY : select(means, means.length - most);
  const differing = Array.from(differences).filter((d) => d !== 0).length;
  const floor = (side === "two-sided" ? 2 : 1) * (isExact ? 2 ** -differing : 1 / ways);
  return known({
    ...{ estimate, p: sidedP(down / ways, up / ways, side), level, side, floor },
    // What rounding alone puts beyond 0 is 0.
    low: up > most ? Math.min(0, low) : low,
    high: down > most ? Math.max(0, high) : high,
    method: `sign-flip permutation, ${isExact ? "exact" : "sampled"}`,
    cautions: floorCaution(Math.min(1, floor), plural(differing, "differing pair")),
  });
}

/** The mean of every set of values but the empty one. */
function meansOfAllSets(values: Sample): Float64Array {
  const means = new Float64Array(2 ** values.length);
  const sizes = new Uint8Array(means.length);
  let filled = 1;
  for (let k = 0; k < values.length; k++, filled *= 2)
    for (let i = 0; i < filled; i++) {
      means[filled + i] = means[i]! + values[k]!;
      sizes[filled + i] = sizes[i]! + 1;
    }
  for (let i = 1; i < means.length; i++) means[i] = means[i]! / sizes[i]!;
  return means.subarray(1);
}

function meansOfSomeSets(values: Sample, { resamples, seed }: { resamples: number; seed: number }) {
  const random = new FastRandom(seed, "sign-flip-difference");
  const means = new Float64Array(resamples);
  for (let way = 0; way < resamples; ) {
    let [sum, size, bits] = [0, 0, 0];
    for (let i = 0; i < values.length; i++) {
      bits = i % 32 === 0 ? random.bits() : bits >>> 1;
      sum += (bits & 1) * values[i]!;
      size += bits & 1;
    }
    if (size > 0) means[way++] = sum / size;
  }
  return means;
}
