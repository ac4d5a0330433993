import { plural } from "../../core/number-text.ts";
import { requireCount, requireFraction } from "../options.ts";
import { FastRandom } from "../resampling/fast-random.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { allEqual, type Sample, sampleProblem } from "../sample.ts";
import { moments } from "../summaries/moments.ts";
import { floorCaution, sidedP } from "../tests/p-value.ts";
import {
  intervalEnd,
  type PermutationDifference,
  type PermutationOptions,
} from "./permutation-difference.ts";

/** Up to so many differences all flips are taken; beyond, random ones. */
const MOST_FLIPPED = 14;

/**
 * The mean of paired differences by flipping their signs: if the differences lie symmetrically about `delta`, each could as
 * well lie as far on the other side of it. Exact for that at any n. The interval holds every `delta` that is not rejected, each tail
 * by itself, so p and interval agree. Sources: R. A. Fisher, The Design of Experiments (1935), 21; the observed flip counted
 * among random ones: B. Phipson and G. K. Smyth, SAGMB 9 (2010), 39.
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
  const { n, mean: estimate, variance } = moments(differences);
  const isExact = n <= MOST_FLIPPED;
  const flips = flipsOf(differences, { isExact, resamples, seed });
  const above = (delta: number) => shareBeyond(flips, delta, 1);
  const below = (delta: number) => shareBeyond(flips, delta, -1);
  const share = side === "two-sided" ? (1 - level) / 2 : 1 - level;
  const [up, down] = [above(0), below(0)];
  const size = { scale: Math.sqrt(variance / n), within: 1e-5 };
  const differing = Array.from(differences).filter((d) => d !== 0).length;
  const floor = (side === "two-sided" ? 2 : 1) * (isExact ? 2 ** -differing : 1 / flips.ways);
  return known({
    ...{ estimate, p: sidedP(down, up, side), level, side, floor },
    low:
      side === "less"
        ? Number.NEGATIVE_INFINITY
        : intervalEnd(above, { estimate, share, atZero: up, ...size }),
    high:
      side === "greater"
        ? Number.POSITIVE_INFINITY
        : -intervalEnd((delta) => below(-delta), { estimate: -estimate, share, atZero: down, ...size }),
    method: `sign-flip permutation, ${isExact ? "exact" : "sampled"}`,
    cautions: floorCaution(Math.min(1, floor), plural(differing, "differing pair")),
  });
}

/** Of each flip the mean of the differences that keep their sign less the others, and of their signs. */
interface Flips {
  ways: number;
  means: Float64Array;
  signs: Float64Array;
}

function flipsOf(
  differences: Sample,
  { isExact, resamples, seed }: { isExact: boolean; resamples: number; seed: number },
): Flips {
  const n = differences.length;
  const ways = isExact ? 2 ** n : resamples + 1;
  const random = new FastRandom(seed, "sign-flip-difference");
  const [means, signs] = [new Float64Array(ways), new Float64Array(ways)];
  for (let way = 0; way < ways; way++) {
    let [total, count, bits] = [0, 0, 0];
    for (let i = 0; i < n; i++) {
      // The first way keeps all signs: it is what was seen.
      bits = isExact ? way >>> i : i % 32 === 0 ? (way === 0 ? 0 : random.bits()) : bits >>> 1;
      const sign = (bits & 1) === 0 ? 1 : -1;
      total += sign * differences[i]!;
      count += sign;
    }
    means[way] = total / n;
    signs[way] = count / n;
  }
  return { ways, means, signs };
}

/** The share of flips about `delta` whose mean is at least as high as the one seen (1), or as low (−1). */
function shareBeyond({ ways, means, signs }: Flips, delta: number, side: 1 | -1): number {
  const seen = side * (means[0]! - delta);
  const near = 1e-11 * (Math.abs(means[0]!) + Math.abs(delta));
  let count = 0;
  for (let way = 0; way < ways; way++) if (side * (means[way]! - delta * signs[way]!) >= seen - near) count++;
  return count / ways;
}
