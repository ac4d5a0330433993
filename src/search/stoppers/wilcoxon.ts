import * as z from "zod";
import { rounded } from "../../core/number-text.ts";
import { wilcoxonTest } from "../../stats/tests/wilcoxon-test.ts";
import { goOn, lossesOf, pairedLosses, type Race, type RunSeries, type Stopper } from "./stopper.ts";

const options = z.strictObject({
  threshold: z.number().gt(0).lt(1).default(0.1).describe("p below which a run ends"),
  atLeast: z.int().min(2).default(5).describe("pairs before a run is judged"),
});
type Options = z.output<typeof options>;

/**
 * For runs that are means over tasks or seeds: ends one that is worse than the best finished run on the pieces that
 * both have done, by Wilcoxon's one-sided signed-rank test. It looks after every piece, so p is no error rate of the
 * whole; and where the mean of the pairs says otherwise than the test, the run goes on.
 */
export const wilcoxon: Stopper<Options> = {
  name: "wilcoxon",
  description:
    "ends runs that are worse than the best one, task by task or seed by seed (Wilcoxon's signed ranks)",
  options,
  isByPiece: true,
  judge({ run, others, goal }, { threshold, atLeast }) {
    const best = bestOf(others, goal);
    if (!best) return goOn("no other run has finished");
    const pairs = pairedLosses(run, best, goal);
    const own = pairs.map(([loss]) => loss);
    const theirs = pairs.map(([, loss]) => loss);
    putLast(own, theirs);
    if (own.length < atLeast) return goOn(`only ${own.length} of ${atLeast} pairs with ${best.id}`);
    const test = wilcoxonTest(own, theirs, { side: "greater" });
    if (!test.known) return goOn(test.why);
    const difference = own.reduce((sum, loss, i) => sum + loss - theirs[i]!, 0) / own.length;
    const facts = `${own.length} pairs with ${best.id}: one-sided p = ${rounded(test.p, 3)}`;
    return { stop: test.p < threshold && difference > 0, why: facts };
  },
};

function bestOf(others: readonly RunSeries[], goal: Race["goal"]): RunSeries | undefined {
  let best: { run: RunSeries; mean: number } | undefined;
  for (const run of others) {
    if (run.state !== "ok" || run.values.length === 0) continue;
    const mean = lossesOf(run, goal).reduce((sum, loss) => sum + loss, 0) / run.values.length;
    if (mean < Number.POSITIVE_INFINITY && (!best || mean < best.mean)) best = { run, mean };
  }
  return best?.run;
}

/** Ranks need a number: what is none gets one that is worse than all others. */
function putLast(...columns: number[][]): void {
  const finite = columns.flat().filter(Number.isFinite);
  const [low, high] = [Math.min(...finite, 0), Math.max(...finite, 0)];
  for (const column of columns)
    for (const [i, loss] of column.entries()) if (!Number.isFinite(loss)) column[i] = high + (high - low) + 1;
}
