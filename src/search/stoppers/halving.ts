import * as z from "zod";
import { judgeAtBands } from "./hyperband.ts";
import { goOn, positionsOf, type RunSeries, type Stopper } from "./stopper.ts";

const options = z.strictObject({
  first: z.int().min(1).default(1).describe("step at which runs are compared for the first time"),
  eta: z.number().gt(1).default(3).describe("one run in eta goes on from rung to rung"),
  most: z.int().min(1).optional().describe("no rung beyond this step"),
  atLeast: z.int().min(2).default(3).describe("runs that must have reached a rung before it ends any"),
});
type Options = z.output<typeof options>;

/**
 * Asynchronous successive halving: rungs at first, first · eta, first · eta² ... steps, each compared at the rung
 * itself. Source: L. Li et al., "A system for massively parallel hyperparameter tuning", MLSys 2 (2020).
 */
export const halving: Stopper<Options> = {
  name: "halving",
  description: "asynchronous successive halving: one run in eta goes on from rung to rung",
  options,
  judge(race, { first, eta, most = 2 ** 31, atLeast }) {
    const rungs: number[] = [];
    for (let rung = first; rung <= most && rung <= furthest(race.run); rung *= eta) {
      rungs.push(Math.floor(rung));
    }
    const rung = rungs.at(-1);
    if (rung === undefined) return goOn("no rung reached");
    const reached = race.others.filter((other) => furthest(other) >= rung).length + 1;
    if (reached < atLeast) return goOn(`only ${reached} of ${atLeast} runs have reached step ${rung}`);
    return judgeAtBands(race, [rung], { eta, strict: true });
  },
};

function furthest(run: RunSeries): number {
  return positionsOf(run).at(-1) ?? 0;
}
