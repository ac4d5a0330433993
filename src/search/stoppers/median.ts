import * as z from "zod";
import {
  bestSoFar,
  goOn,
  isWorse,
  lossesOf,
  positionsOf,
  type Race,
  type RunSeries,
  type Stopper,
  shown,
} from "./stopper.ts";

const options = z.strictObject({
  warmup: z.int().min(0).default(5).describe("steps of a run before it is judged"),
  atLeast: z.int().min(2).default(5).describe("other runs that must have got as far"),
});
type Options = z.output<typeof options>;

/**
 * Ends a run whose best value so far is worse than the median of the others' running means at the same step.
 * Source: D. Golovin et al., "Google Vizier", KDD 23 (2017), 3.2.2.
 */
export const median: Stopper<Options> = {
  name: "median",
  description: "ends runs whose best so far is worse than the median of the others' running means",
  options,
  judge({ run, others, goal }, { warmup, atLeast }) {
    const losses = lossesOf(run, goal);
    const step = positionsOf(run).at(-1) ?? 0;
    if (step <= warmup) return goOn(`at step ${step}, judged after ${warmup}`);
    const means = others
      .filter((other) => other.state !== "failed" && (positionsOf(other).at(-1) ?? 0) >= step)
      .flatMap((other) => meanUntil(other, step, goal) ?? []);
    if (means.length < atLeast)
      return goOn(`only ${means.length} of ${atLeast} other runs got to step ${step}`);
    const middle = medianOf(means);
    const best = bestSoFar(losses);
    return {
      stop: isWorse(best, middle),
      why: `its best by step ${step} is ${shown(best, goal)}, the median of ${means.length} other runs' means ${shown(middle, goal)}`,
    };
  },
};

/** Of what a run had reported by a step; undefined where that is nothing. */
function meanUntil(run: RunSeries, step: number, goal: Race["goal"]): number | undefined {
  const count = positionsOf(run).findLastIndex((position) => position <= step) + 1;
  const losses = lossesOf(run, goal).slice(0, count);
  return count === 0 ? undefined : losses.reduce((sum, loss) => sum + loss, 0) / count;
}

/** Of losses, some of which may be infinite. */
function medianOf(losses: readonly number[]): number {
  const sorted = losses.toSorted((a, b) => (a < b ? -1 : Number(a > b)));
  const half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
}
