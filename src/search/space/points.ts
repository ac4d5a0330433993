import { UserError } from "../../core/errors.ts";
import { canonicalJson } from "../../core/hash.ts";
import type { Params, Value } from "../../core/params.ts";
import type { RandomStream } from "../../core/random.ts";
import type { CompiledSpace } from "./compile-space.ts";

/** The point whose active parameters have the values that `choose` gives; undefined where `where` does not hold. */
export function makePoint(
  space: CompiledSpace,
  choose: (axis: number, point: Params) => Value,
): Params | undefined {
  const point: Params = {};
  const scope = scopeOf(space, point);
  for (let i = 0; i < space.axes.length; i++) {
    const { name, when } = space.axes[i]!;
    if (when && !when.holds(scope)) continue;
    point[name] = choose(i, point);
    if (scope !== point) scope[name] = point[name];
  }
  return space.where && !space.where.holds(scope) ? undefined : point;
}

/** The point at a place of the unit cube, one coordinate an axis. */
export function pointAt(space: CompiledSpace, units: ArrayLike<number>): Params | undefined {
  return makePoint(space, (i) => space.axes[i]!.domain.valueAt(units[i]!));
}

/** All defaults; parameters without one take their middle. Undefined where no parameter has a default. */
export function defaultPoint(space: CompiledSpace): Params | undefined {
  if (!space.axes.some((axis) => axis.default !== undefined)) return undefined;
  return makePoint(space, (i) => space.axes[i]!.default ?? space.axes[i]!.domain.valueAt(0.5));
}

/** What has been proposed, whatever became of it. */
type Points = readonly { params: Params }[];

const keys = new WeakMap<Params, string>();

/** The same text for the same point, whatever the order of its parameters. */
export function pointKey(point: Params): string {
  let key = keys.get(point);
  if (key === undefined) {
    key = canonicalJson(point);
    keys.set(point, key);
  }
  return key;
}

export function keysOf(history: Points): Set<string> {
  const seen = new Set<string>();
  for (const { params } of history) seen.add(pointKey(params));
  return seen;
}

/** What a condition may read: the point itself where nothing else is fixed. */
function scopeOf(space: CompiledSpace, point: Params): Params {
  for (const _ in space.fixed) return { ...space.fixed, ...point };
  return point;
}

/** The first points of a sequence that are not in the history yet. */
export function takeUnseen(points: Iterable<Params>, history: Points, count: number): Params[] {
  const seen = keysOf(history);
  const taken: Params[] = [];
  if (count <= 0) return taken;
  for (const point of points) {
    if (!seen.has(pointKey(point)) && taken.push(point) >= count) break;
  }
  return taken;
}

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

/**
 * Every point of a finite space once, the last axis fastest, one at a time: an odometer on which a parameter that is
 * inactive has a single position. Whole branches that `where` excludes are left out as soon as that is decided.
 */
export function* allPoints(space: CompiledSpace): Generator<Params> {
  const { axes, where, whereDepth } = space;
  const scope: Params = scopeOf(space, {});
  /** The position of each axis so far; -1 where it is inactive. */
  const positions = new Int32Array(axes.length);
  let depth = 0;
  let isEntering = true;
  while (depth >= 0) {
    if (isEntering && where && depth === whereDepth && !where.holds(scope)) isEntering = false;
    else if (depth === axes.length) {
      const point: Params = {};
      for (let i = 0; i < axes.length; i++)
        if (positions[i]! >= 0) point[axes[i]!.name] = scope[axes[i]!.name]!;
      yield point;
      isEntering = false;
    } else if (isEntering) {
      const { name, when, domain } = axes[depth]!;
      positions[depth] = when && !when.holds(scope) ? -1 : 0;
      if (positions[depth] === 0) scope[name] = domain.nth(0);
      depth++;
      continue;
    }
    depth--;
    if (depth < 0) return;
    const { name, domain } = axes[depth]!;
    const next = positions[depth]! + 1;
    isEntering = positions[depth]! >= 0 && next < domain.size;
    if (isEntering) {
      positions[depth] = next;
      scope[name] = domain.nth(next);
      depth++;
    } else if (Object.hasOwn(space.fixed, name)) scope[name] = space.fixed[name]!;
    else delete scope[name];
  }
}

const encoded = new WeakMap<CompiledSpace, WeakMap<Params, Float64Array>>();

/**
 * A point as one number an axis, for models: the middle of its cell on the unit interval for ordered values, the
 * number of the choice otherwise, NaN where the parameter is inactive. Do not change what comes back.
 */
export function encodePoint(space: CompiledSpace, point: Params): Float64Array {
  let known = encoded.get(space);
  if (!known) {
    known = new WeakMap();
    encoded.set(space, known);
  }
  let code = known.get(point);
  if (!code) {
    code = new Float64Array(space.axes.length);
    for (let i = 0; i < code.length; i++) {
      const { name, domain } = space.axes[i]!;
      const value = point[name];
      if (value === undefined) code[i] = Number.NaN;
      else if (domain.ordered) {
        const [from, to] = domain.cellOf(value);
        code[i] = (from + to) / 2;
      } else code[i] = domain.indexOf(value);
    }
    known.set(point, code);
  }
  return code;
}
