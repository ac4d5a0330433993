import * as z from "zod";
import type { Params } from "../../core/params.ts";
import { RandomStream } from "../../core/random.ts";
import { compileSpace } from "../space/compile-space.ts";
import { drawPoint, keysOf, pointKey } from "../space/points.ts";
import type { Problem, Searcher } from "./searcher.ts";

/** Independent draws. In a finite space no point comes twice, and the search ends when all were there. */
export const random: Searcher = {
  name: "random",
  description: "independent draws from the space",
  options: z.strictObject({}),
  ask(history, count, problem) {
    const taken: Params[] = [];
    for (const point of draws(problem, keysOf(history), history.length)) {
      if (taken.length >= count || taken.push(point) >= count) break;
    }
    return taken;
  },
  points: (problem) => draws(problem, new Set(), 0),
};

function* draws(problem: Problem, seen: Set<string>, first: number): Generator<Params> {
  const space = compileSpace(problem);
  const stream = new RandomStream(problem.seed, "search/random");
  // In a continuum nothing repeats, so nothing has to be remembered.
  const isEndless = space.axes.some(({ domain, when }) => !when && domain.isContinuum);
  for (let index = first; ; index++) {
    const point = drawPoint(space, { stream, index, seen: isEndless && seen.size === 0 ? undefined : seen });
    if (!point) return;
    yield point;
    if (!isEndless) seen.add(pointKey(point));
  }
}
