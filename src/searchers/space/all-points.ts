import type { Params } from "../../core/params.ts";
import type { CompiledSpace } from "./compile-space.ts";
import { scopeOf } from "./point.ts";

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
