import * as z from "zod";
import { gp } from "./gp/gp.ts";
import { askInTurn, type Problem, type Searcher } from "./searcher.ts";
import { tpe } from "./tpe/tpe.ts";

const gpOptions = gp.options.parse({});
const tpeOptions = tpe.options.parse({});
/** Beyond these a process takes longer than it gains. */
const MOST_FINISHED = 250;
const MOST_AXES = 24;
/** Every so many proposals one of tpe's: it looks where a process is sure too early that nothing is. */
const TURN = 4;

/**
 * The Gaussian process while it is worth its time, with a proposal of the Parzen estimator in between; the Parzen
 * estimator alone for long searches and large spaces. docs/search.md has the measurements behind this.
 */
export const auto: Searcher = {
  name: "auto",
  description: "gp with some proposals of tpe; tpe alone after hundreds of runs and for many parameters",
  options: z.strictObject({}),
  ask(history, count, problem) {
    // One problem a searcher and search: what they remember hangs on it.
    const { forGp, forTpe } = problemsOf(problem);
    return askInTurn(history, count, (soFar) => {
      const isLong = soFar.length >= MOST_FINISHED || problem.space.length > MOST_AXES;
      const byTpe = isLong || soFar.length % TURN === TURN - 1;
      const [point] = byTpe ? tpe.ask(soFar, 1, forTpe) : gp.ask(soFar, 1, forGp);
      return point;
    });
  },
};

type Pair = { forGp: Problem<typeof gpOptions>; forTpe: Problem<typeof tpeOptions> };
const pairs = new WeakMap<Problem, Pair>();

function problemsOf(problem: Problem): Pair {
  let pair = pairs.get(problem);
  if (!pair) {
    pair = { forGp: { ...problem, options: gpOptions }, forTpe: { ...problem, options: tpeOptions } };
    pairs.set(problem, pair);
  }
  return pair;
}
