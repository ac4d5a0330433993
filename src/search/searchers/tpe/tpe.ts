import * as z from "zod";
import type { Params } from "../../../core/params.ts";
import { RandomStream } from "../../../core/random.ts";
import { compileSpace } from "../../space/compile-space.ts";
import { drawPoint, encodePoint, keysOf, pointKey } from "../../space/points.ts";
import { rankHistory } from "../rank-history.ts";
import { askInTurn, type Evaluation, type History, type Problem, type Searcher } from "../searcher.ts";
import { startPoint } from "../sobol/sobol.ts";
import { kernelWidths, ParzenMixture } from "./parzen-mixture.ts";

const options = z.strictObject({
  startup: z.int().min(0).default(10).describe("points before the model begins"),
  candidates: z.int().min(1).default(64).describe("points among which the model chooses"),
});
type Options = z.output<typeof options>;

/**
 * The tree-structured Parzen estimator: a density of the good points and one of the others; what is most likely under
 * the first against the second comes next. Failed points and those in flight count as others.
 * Sources: J. Bergstra et al., NIPS 24 (2011); S. Falkner, A. Klein, F. Hutter, ICML 80 (2018) for the joint kernels.
 */
export const tpe: Searcher<Options> = {
  name: "tpe",
  description: "Parzen densities of good and other points; any space, fast also after thousands of runs",
  options,
  ask(history, count, problem) {
    const seen = keysOf(history);
    return askInTurn(history, count, (soFar) => {
      const point = startPoint(soFar, problem, problem.options.startup) ?? propose(soFar, problem, seen);
      if (point) seen.add(pointKey(point));
      return point;
    });
  },
};

function propose(history: History, problem: Problem<Options>, seen: Set<string>): Params | undefined {
  const space = compileSpace(problem);
  const stream = new RandomStream(problem.seed, "search/tpe");
  const index = history.length;
  let drawn = 0;
  const random = () => stream.uniform(index, drawn++);
  const { good, rest } = split(history, problem);
  const mixture = (weighed: Weighed[]) => {
    const codes = weighed.map(({ evaluation }) => encodePoint(space, evaluation.params));
    const weights = weighed.map(({ weight }) => weight);
    return new ParzenMixture(space, codes, { weights, priorWeight: 1, widths: kernelWidths(space, codes) });
  };
  const goodMixture = mixture(good);
  const restMixture = mixture(rest);
  let best: Params | undefined;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < problem.options.candidates; i++) {
    const point = goodMixture.sample(random);
    if (!point || seen.has(pointKey(point))) continue;
    const score = goodMixture.logDensity(point) - restMixture.logDensity(point);
    if (score > bestScore) [best, bestScore] = [point, score];
  }
  return (
    best ?? drawPoint(space, { stream: new RandomStream(problem.seed, "search/tpe/random"), index, seen })
  );
}

interface Weighed {
  evaluation: Evaluation;
  weight: number;
}

/** More of the others than this are thinned out: their density does not change, the time for it would. */
const MOST_REST = 400;

/** The best tenth (at most 25) in their order, and the others, in flight or failed too. */
function split(history: History, problem: Problem): { good: Weighed[]; rest: Weighed[] } {
  const ranked = rankHistory(history, problem).map(({ evaluation }) => ({ evaluation, weight: 1 }));
  const count = Math.min(Math.ceil(0.1 * ranked.length), 25);
  const pending = history.filter(({ state }) => state === "pending");
  const rest = [...thin(ranked.slice(count)), ...pending.map((evaluation) => ({ evaluation, weight: 1 }))];
  return { good: ranked.slice(0, count), rest };
}

/** The better ones are near the good, where the densities are compared, and stay; of the others some stand for all. */
function thin(ranked: Weighed[]): Weighed[] {
  if (ranked.length <= MOST_REST) return ranked;
  const half = MOST_REST / 2;
  const weight = (ranked.length - half) / half;
  const far = Array.from({ length: half }, (_, i) => ranked[half + Math.floor((i + 0.5) * weight)]!);
  return [...ranked.slice(0, half), ...far.map(({ evaluation }) => ({ evaluation, weight }))];
}
