import { canonicalJson } from "../../core/hash.ts";
import type { Params, Value } from "../../core/params.ts";
import type { History } from "../searcher.ts";
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

export function keysOf(history: History): Set<string> {
  const seen = new Set<string>();
  for (const { params } of history) seen.add(pointKey(params));
  return seen;
}

/** What a condition may read: the point itself where nothing else is fixed. */
export function scopeOf(space: CompiledSpace, point: Params): Params {
  for (const _ in space.fixed) return { ...space.fixed, ...point };
  return point;
}
