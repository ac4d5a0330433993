import type { Params } from "../core/params.ts";
import type { History } from "./searcher.ts";
import { keysOf, pointKey } from "./space/point.ts";

/** The first points of a sequence that are not in the history yet. */
export function takeUnseen(points: Iterable<Params>, history: History, count: number): Params[] {
  const seen = keysOf(history);
  const taken: Params[] = [];
  if (count <= 0) return taken;
  for (const point of points) {
    if (!seen.has(pointKey(point)) && taken.push(point) >= count) break;
  }
  return taken;
}
