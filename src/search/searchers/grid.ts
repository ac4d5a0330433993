import * as z from "zod";
import { UserError } from "../../core/errors.ts";
import type { Params } from "../../core/params.ts";
import { compileSpace } from "../space/compile-space.ts";
import { allPoints, emptySpace, takeUnseen } from "../space/points.ts";
import type { Problem, Searcher } from "./searcher.ts";

/** Every combination once: parameters in the order of their names, the last one fastest. */
export const grid: Searcher = {
  name: "grid",
  description: "every combination once",
  options: z.strictObject({}),
  ask: (history, count, problem) => takeUnseen(points(problem), history, count),
  points,
};

function* points(problem: Problem): Generator<Params> {
  const space = compileSpace(problem);
  for (const { name, domain } of space.axes) {
    if (Number.isFinite(domain.size)) continue;
    throw new UserError(`a grid can't list all values of "${name}"`, {
      remedy: "List its values or give it a step, or take another method.",
    });
  }
  let isEmpty = true;
  for (const point of allPoints(space)) {
    isEmpty = false;
    yield point;
  }
  if (isEmpty) throw emptySpace(space, "none of its points does");
}
