import * as z from "zod";
import type { Params } from "../../../core/params.ts";
import { RandomStream } from "../../../core/random.ts";
import { compileSpace } from "../../space/compile-space.ts";
import { drawPoint, pointAt, pointKey, takeUnseen } from "../../space/points.ts";
import type { Problem, Searcher } from "../searcher.ts";
import { SOBOL_DIMENSIONS, scrambledSobol } from "./sobol-point.ts";

/** So many points in a row that are excluded or were there before: then what is left is drawn at random. */
const MOST_MISSES = 1000;

/** A Sobol sequence, scrambled by the seed: fills the space more evenly than chance. */
export const sobol: Searcher = {
  name: "sobol",
  description: "a scrambled Sobol sequence: fills the space more evenly than random draws",
  options: z.strictObject({}),
  ask: (history, count, problem) => takeUnseen(sobolPoints(problem), history, count),
  points: sobolPoints,
};

/** The points of the sequence that are in the space, each once. */
export function* sobolPoints(problem: Problem): Generator<Params> {
  const space = compileSpace(problem);
  const keys = new RandomStream(problem.seed, "search/sobol");
  const rest = new RandomStream(problem.seed, "search/sobol/rest");
  const units = new Float64Array(space.axes.length);
  const scrambles = units.map((_, i) => Math.floor(keys.uniform(i) * 2 ** 32));
  const isEndless = space.axes.some(({ domain, when }) => !when && domain.isContinuum);
  const seen = new Set<string>();
  for (let index = 0, misses = 0; misses < MOST_MISSES; index++) {
    for (let i = 0; i < units.length; i++) {
      units[i] = i < SOBOL_DIMENSIONS ? scrambledSobol(index, i, scrambles[i]!) : rest.uniform(index, i);
    }
    const point = pointAt(space, units);
    misses++;
    if (!point || (!isEndless && seen.has(pointKey(point)))) continue;
    misses = 0;
    yield point;
    if (!isEndless) seen.add(pointKey(point));
  }
  for (let index = 0; ; index++) {
    const point = drawPoint(space, { stream: rest, index, seen });
    if (!point) return;
    yield point;
    seen.add(pointKey(point));
  }
}
