import * as z from "zod";
import { UserError } from "../../../core/errors.ts";
import type { Params } from "../../../core/params.ts";
import { RandomStream } from "../../../core/random.ts";
import { normalQuantile } from "../../../stats/distributions/normal.ts";
import { type CompiledSpace, compileSpace } from "../../space/compile-space.ts";
import { defaultPoint, drawPoint, encodePoint, keysOf, pointAt, pointKey } from "../../space/points.ts";
import { rankHistory } from "../rank-history.ts";
import { askInTurn, type History, type Problem, type Searcher } from "../searcher.ts";
import { Evolution } from "./evolution.ts";

const options = z.strictObject({
  sigma: z.number().positive().max(1).default(0.25).describe("first step size, as a share of each range"),
  population: z
    .int()
    .min(4)
    .optional()
    .describe("points a generation; by the number of parameters unless told"),
});
type Options = z.output<typeof options>;

const MOST_TRIES = 50;
const MOST_RESTARTS = 7;
/** So many generations in a row without a point that the descent had not met: on a lattice it has converged. */
const MOST_STALE = 5;

interface Sample {
  place: Float64Array;
  point: Params;
}

/**
 * CMA-ES: a normal distribution that moves, stretches and turns towards better points. Each ask goes through its
 * generations again from the history, so nothing is kept between asks; a generation ends when enough of its points
 * have finished, and while it waits it draws more. When it has converged it begins anew with twice the population.
 * Source for the restarts: A. Auger and N. Hansen, IEEE CEC (2005), 1769-1776.
 */
export const cmaes: Searcher<Options> = {
  name: "cmaes",
  description: "covariance matrix adaptation; numbers only, best for long searches in continuous spaces",
  options,
  ask(history, count, problem) {
    const space = compileSpace(problem);
    for (const { name, domain } of space.axes) {
      if (domain.ordered || domain.size === 1) continue;
      throw new UserError(`cmaes can't order the values of "${name}"`, {
        remedy: "Take tpe, or give it numbers.",
      });
    }
    return askInTurn(history, count, (soFar) => propose(soFar, problem, space));
  },
};

function propose(history: History, problem: Problem<Options>, space: CompiledSpace): Params | undefined {
  const first = history.length === 0 ? defaultPoint(space) : undefined;
  if (first) return first;
  const seen = keysOf(history);
  const ranks = new Map<string, { rank: number; finished: number }>();
  rankHistory(history, problem).forEach(({ evaluation, index }, rank) => {
    const key = pointKey(evaluation.params);
    if (!ranks.has(key)) ranks.set(key, { rank, finished: index });
  });
  // In a finite space ever larger descents go over what is there already.
  const restarts = Number.isFinite(space.size) ? 2 : MOST_RESTARTS;
  for (let restart = 0; restart <= restarts; restart++) {
    const point = goThrough(restart, { problem, space, seen, ranks });
    if (point) return point;
  }
  const stream = new RandomStream(problem.seed, "search/cmaes/random");
  return drawPoint(space, { stream, index: history.length, seen });
}

interface Replay {
  problem: Problem<Options>;
  space: CompiledSpace;
  seen: ReadonlySet<string>;
  ranks: ReadonlyMap<string, { rank: number; finished: number }>;
}

/** One descent from its start: the first point that it has not got yet, or nothing when it has converged. */
function goThrough(restart: number, { problem, space, seen, ranks }: Replay): Params | undefined {
  const { sigma, population } = problem.options;
  const size = (population ?? 4 + Math.floor(3 * Math.log(space.axes.length))) * 2 ** restart;
  const stream = new RandomStream(problem.seed, `search/cmaes/${restart}`);
  const evolution = new Evolution(startOf(space, restart, stream), sigma, size);
  const used = new Set<string>();
  let stale = 0;
  while (!evolution.isSpent && stale < MOST_STALE) {
    const finished: { place: Float64Array; rank: number; finished: number }[] = [];
    const before = used.size;
    let next: Params | undefined;
    for (let k = 0; k < 4 * size + seen.size && !next; k++) {
      const sample = drawSample(space, evolution, stream, k);
      const key = sample && pointKey(sample.point);
      if (key === undefined || finished.length >= 4 * size) break;
      if (!seen.has(key)) next = sample!.point;
      used.add(key);
      const result = ranks.get(key);
      if (result) finished.push({ place: sample!.place, ...result });
    }
    if (finished.length < size) return next;
    finished.sort((a, b) => a.finished - b.finished);
    const generation = finished.slice(0, size).sort((a, b) => a.rank - b.rank);
    evolution.update(generation.map(({ place }) => place));
    // The sample that is not there yet is no news: it will not be drawn any more.
    stale = used.size - (next ? 1 : 0) > before ? 0 : stale + 1;
  }
  return undefined;
}

/** The defaults, or the middle, for the first descent; elsewhere for the others. */
function startOf(space: CompiledSpace, restart: number, stream: RandomStream): Float64Array {
  const point = restart === 0 ? defaultPoint(space) : undefined;
  if (point) return encodePoint(space, point).map((unit) => (Number.isNaN(unit) ? 0.5 : unit));
  return Float64Array.from(space.axes, (_, i) => 0.2 + 0.6 * stream.uniform(0xffffffff, i));
}

/** Draws again what falls outside; after some tries it is put on the edge. */
function drawSample(
  space: CompiledSpace,
  evolution: Evolution,
  stream: RandomStream,
  k: number,
): Sample | undefined {
  const n = space.axes.length;
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const normals = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      normals[i] = normalQuantile(stream.uniform(evolution.generation, k, attempt, i));
    }
    const drawn = evolution.place(normals);
    const isInside = drawn.every((unit) => unit >= 0 && unit <= 1);
    if (!isInside && attempt < 10) continue;
    const place = drawn.map((unit) => Math.min(1, Math.max(0, unit)));
    const point = pointAt(space, place);
    if (point) return { place, point };
  }
  return undefined;
}
