import type { Params } from "../../core/params.ts";
import { compileSpace } from "../space/compile-space.ts";
import { defaultPoint, keysOf, pointKey } from "../space/points.ts";
import type { History, Problem } from "./searcher.ts";
import { sobolPoints } from "./sobol/sobol.ts";

/** What comes before there is a model: the point of all defaults, then Sobol points until `count` points are there. */
export function startPoint(history: History, problem: Problem, count: number): Params | undefined {
  const first = history.length === 0 ? defaultPoint(compileSpace(problem)) : undefined;
  if (first) return first;
  if (history.length >= Math.max(1, count)) return undefined;
  const seen = keysOf(history);
  for (const point of sobolPoints(problem)) if (!seen.has(pointKey(point))) return point;
  return undefined;
}
