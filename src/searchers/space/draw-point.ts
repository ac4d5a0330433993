import { UserError } from "../../core/errors.ts";
import type { Params } from "../../core/params.ts";
import type { RandomStream } from "../../core/random.ts";
import { allPoints } from "./all-points.ts";
import type { CompiledSpace } from "./compile-space.ts";
import { makePoint, pointKey } from "./point.ts";

const MOST_TRIES = 10_000;
/** After so many draws that were there before, what is left of a finite space is looked at. */
const MOST_REPEATS = 100;
/** A larger space is taken for endless. */
const MOST_LISTED = 2_000_000;

/** A random point that is not in `seen`, drawn with the numbers that belong to `index`; undefined when none is left. */
export function drawPoint(
  space: CompiledSpace,
  { stream, index, seen }: { stream: RandomStream; index: number; seen?: ReadonlySet<string> | undefined },
): Params | undefined {
  let repeats = 0;
  for (let attempt = 0; attempt < MOST_TRIES && repeats < MOST_REPEATS; attempt++) {
    const point = makePoint(space, (i) => space.axes[i]!.domain.valueAt(stream.uniform(index, attempt, i)));
    if (!point) continue;
    if (!seen?.has(pointKey(point))) return point;
    repeats++;
  }
  if (space.size <= MOST_LISTED) return drawListed(space, stream.uniform(index, MOST_TRIES), seen);
  if (repeats > 0) return undefined;
  throw emptySpace(space, `${MOST_TRIES} random points do not satisfy it`);
}

function drawListed(space: CompiledSpace, unit: number, seen?: ReadonlySet<string>): Params | undefined {
  const left: Params[] = [];
  let total = 0;
  for (const point of allPoints(space)) {
    total++;
    if (!seen?.has(pointKey(point))) left.push(point);
  }
  if (total === 0) throw emptySpace(space, "none of its points does");
  return left[Math.floor(unit * left.length)];
}

export function emptySpace({ where }: CompiledSpace, why: string): UserError {
  return new UserError(`no point of the space satisfies where: ${where?.source} (${why})`, {
    remedy: "Loosen the condition, or widen the bounds.",
  });
}
