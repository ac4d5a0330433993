import * as z from "zod";
import { bestSoFar, goOn, isWorse, lossesOf, type Stopper, shown } from "./stopper.ts";

const options = z.strictObject({
  warmup: z.int().min(0).default(5).describe("values that a run reports before it is judged"),
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
    const step = losses.length;
    if (step <= warmup) return goOn(`${step} values, judged after ${warmup}`);
    const means = others
      .filter(({ state }) => state !== "failed")
      .map((other) => lossesOf(other, goal))
      .filter((other) => other.length >= step)
      .map((other) => other.slice(0, step).reduce((sum, loss) => sum + loss, 0) / step);
    if (means.length < atLeast)
      return goOn(`only ${means.length} of ${atLeast} other runs got to ${step} values`);
    const middle = medianOf(means);
    const best = bestSoFar(losses);
    return {
      stop: isWorse(best, middle),
      why: `its best of ${step} values is ${shown(best, goal)}, the median of ${means.length} other runs' means ${shown(middle, goal)}`,
    };
  },
};

/** Of losses, some of which may be infinite. */
function medianOf(losses: readonly number[]): number {
  const sorted = losses.toSorted((a, b) => (a < b ? -1 : Number(a > b)));
  const half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
}
