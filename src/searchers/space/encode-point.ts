import type { Params } from "../../core/params.ts";
import type { CompiledSpace } from "./compile-space.ts";

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
