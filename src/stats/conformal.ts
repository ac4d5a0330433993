import { requireFraction } from "./options.ts";
import { known, type Result, unknownBecause } from "./result.ts";
import { type Sample, sampleProblem } from "./sample.ts";

/** How many scores a limit with this rate needs. */
export function conformalNeed(rate: number): number {
  return Math.ceil(1 / requireFraction(rate, "rate")) - 1;
}

/**
 * A limit that a further score exceeds with a chance of at most `rate`, on average over the scores that it was made of:
 * the score of rank ⌈(1 − rate)(n + 1)⌉. It holds for any distribution, as long as the scores and the further one could
 * have come in any order. Source: V. Vovk, A. Gammerman, G. Shafer, "Algorithmic learning in a random world" (2005),
 * chapter 2; H. Papadopoulos et al., ECML 2002, 345-356 (split conformal).
 */
export function conformalLimit(scores: Sample, rate: number): Result<{ limit: number }> {
  const need = conformalNeed(rate);
  const problem = sampleProblem(scores, 1);
  if (problem) return unknownBecause(problem);
  if (scores.length < need)
    return unknownBecause(`${scores.length} scores are too few for a rate of ${rate}: it takes ${need}`);
  const rank = Math.ceil((1 - rate) * (scores.length + 1) - 1e-9);
  return known({ limit: Float64Array.from(scores).sort()[rank - 1]! });
}
