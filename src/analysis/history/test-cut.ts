import { choose, welchTest } from "../../stats/index.ts";
import { FastRandom } from "../../stats/resampling/fast-random.ts";
import { bestArc, bestSplit, type Cut, centre, FEWEST_A_SIDE } from "./best-split.ts";

export interface CutOptions {
  alpha: number;
  seed: number;
  resamples: number;
}

/** Of the chance of a false claim, what a single step gets; the rest is for one that was taken back. */
const SINGLE_SHARE = 0.8;

/**
 * The cut of a stretch of values that chance does not explain, or undefined. The best cut of the values in their
 * order is held against the best cuts of the same values in random orders; without a step every order was as likely,
 * so the chance of a false claim is at most alpha, whatever the distribution (as long as neighbours don't resemble
 * each other more than others).
 */
export function testCut(values: readonly number[], options: CutOptions): number[] | undefined {
  const { alpha, seed, resamples } = options;
  if (values.length < 2 * FEWEST_A_SIDE) return undefined;
  const centred = centre(values);
  const single = bestSplit(centred);
  if (single.explained === 0) return undefined;
  const arc = bestArc(centred);
  const random = new FastRandom(seed, "history-steps");
  const order = centred.slice();
  let singles = 1;
  let arcs = 1;
  for (let b = 0; b < resamples; b++) {
    shuffleInPlace(order, random);
    if (isAsGood(bestSplit(order), single)) singles++;
    if (isAsGood(bestArc(order), arc)) arcs++;
  }
  const bound = alpha * (resamples + 1);
  if (singles <= SINGLE_SHARE * bound) return single.at;
  return arcs <= (1 - SINGLE_SHARE) * bound ? realEnds(values, arc, alpha) : undefined;
}

/** How few values could ever show a step: below that, even the clearest order comes too often by chance. */
export function fewestValues(alpha: number): number {
  let n = 2 * FEWEST_A_SIDE;
  while (2 / choose(n, Math.floor(n / 2)) > SINGLE_SHARE * alpha) n++;
  return n;
}

/** Rounding must not make the same split of the same values another one. */
function isAsGood(a: Cut, b: Cut): boolean {
  return a.explained >= b.explained * (1 - 1e-9);
}

/** A stretch that begins near an end of the values has one real step, not two. */
function realEnds(values: readonly number[], { at }: Cut, alpha: number): number[] {
  const [from, to] = at as [number, number];
  const inside = values.slice(from, to);
  const isReal = (outside: readonly number[]) => {
    const test = welchTest(outside, inside);
    return !test.known || test.p <= alpha;
  };
  const real = [...(isReal(values.slice(0, from)) ? [from] : []), ...(isReal(values.slice(to)) ? [to] : [])];
  return real.length > 0 ? real : at;
}

function shuffleInPlace(values: Float64Array, random: FastRandom): void {
  for (let i = values.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    const value = values[i]!;
    values[i] = values[j]!;
    values[j] = value;
  }
}
