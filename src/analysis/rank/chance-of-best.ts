import { trimmedMoments } from "../../stats/intervals/trimmed-difference.ts";
import { FastRandom } from "../../stats/resampling/fast-random.ts";

interface BestOptions {
  goal: "minimize" | "maximize";
  /** Whether value i of every arm is of the same seed: seeds are then drawn once for all arms. */
  isPaired: boolean;
  /** The share that the mean which is to be the best leaves out at either end. */
  trim?: number;
  resamples?: number;
  seed?: number;
}

/**
 * For each arm the share of bootstrap resamples in which its mean is the best; ties are shared out. It is how often
 * these data would crown the arm if they were drawn anew, not the probability that a hypothesis is true.
 */
export function chanceOfBest(arms: readonly (readonly number[])[], options: BestOptions): number[] {
  const { goal, isPaired, trim = 0, resamples = 10_000, seed = 1 } = options;
  const random = new FastRandom(seed, "rank");
  const wins = arms.map(() => 0);
  const sign = goal === "maximize" ? 1 : -1;
  const rows = arms.map((values) => Float64Array.from(values));
  const drawn = new Int32Array(rows[0]?.length ?? 0);
  for (let b = 0; b < resamples; b++) {
    if (isPaired) for (let i = 0; i < drawn.length; i++) drawn[i] = random.below(drawn.length);
    const means = rows.map((values) => sign * centreOfDraw(values, isPaired ? drawn : random, trim));
    const best = Math.max(...means);
    const winners = means.filter((value) => value === best).length;
    for (let a = 0; a < means.length; a++) if (means[a] === best) wins[a]! += 1 / winners;
  }
  return wins.map((count) => count / resamples);
}

function centreOfDraw(values: Float64Array, drawn: Int32Array | FastRandom, trim: number): number {
  if (trim === 0) return meanOfDraw(values, drawn);
  const own = values.map(
    (_, i) => values[drawn instanceof FastRandom ? drawn.below(values.length) : drawn[i]!]!,
  );
  return trimmedMoments(own.sort(), trim).mean;
}

function meanOfDraw(values: Float64Array, drawn: Int32Array | FastRandom): number {
  let total = 0;
  if (drawn instanceof FastRandom)
    for (let i = 0; i < values.length; i++) total += values[drawn.below(values.length)]!;
  else for (let i = 0; i < drawn.length; i++) total += values[drawn[i]!]!;
  return total / values.length;
}
