import { parseExpression } from "../core/expression.ts";
import { canonicalJson } from "../core/hash.ts";
import { flattenParams, nestParams } from "../core/nest-params.ts";
import { type Params, sameValue, type Value } from "../core/params.ts";
import type { Search, SpaceParameter } from "../core/space.ts";
import type { Study } from "../core/study.ts";

/** Tells whether a run's parameters are a point of the search as it is now; they may be of a space that it had once. */
export function admitsPoint(search: Search): (params: Params) => boolean {
  const misfit = misfitOf(search);
  return (params) => misfit(params) === undefined;
}

/** Why a run's parameters are no point of the search; undefined where they are one. */
export function misfitOf({ space, where: condition }: Search): (params: Params) => string | undefined {
  const whens = space.map(({ when }) => (when === undefined ? undefined : parseExpression(when)));
  const where = condition === undefined ? undefined : parseExpression(condition);
  return (params) => {
    const point = flattenParams(params, space);
    const scope = { ...params, ...point };
    for (const [i, parameter] of space.entries()) {
      const { name } = parameter;
      const value = point[name];
      const isActive = whens[i]?.holds(scope) ?? true;
      if (isActive && value === undefined) return `it has no value of "${name}"`;
      if (isActive && !takes(parameter, value!)) return `"${name}" can't be ${canonicalJson(value)}`;
      if (!isActive && value !== undefined) return `"${name}" is inactive there (when: ${parameter.when})`;
    }
    return where && !where.holds(scope) ? `it does not satisfy where: ${condition}` : undefined;
  };
}

/**
 * A point, maybe proposed for a space that the search had once, in terms of the one that it has now; undefined where
 * it is none of that. A parameter that has left the space must have the value that the study gives it now.
 */
export function placeInSpace({ params }: Study, search: Search): (point: Params) => Params | undefined {
  const admits = admitsPoint(search);
  const names = new Set(search.space.map(({ name }) => name));
  return (point) => {
    const kept: Params = {};
    for (const [name, value] of Object.entries(point)) {
      if (names.has(name)) kept[name] = value;
      else if (!sameValue(params[name], value)) return undefined;
    }
    return admits({ ...params, ...nestParams(kept, search.space) }) ? kept : undefined;
  };
}

function takes({ distribution, default: usual }: SpaceParameter, value: Value): boolean {
  switch (distribution.kind) {
    case "constant":
      return sameValue(distribution.value, value);
    case "categorical":
      return [...distribution.values, usual].some((item) => sameValue(item, value));
    case "integer":
    case "uniform": {
      const { min, max, step = 0 } = distribution;
      // The nearest multiple of a step may lie beyond a bound, by at most half a step; a logarithm's by a last digit.
      const slack = step / 2 + 1e-12 * Math.max(Math.abs(min), Math.abs(max));
      return typeof value === "number" && value >= min - slack && value <= max + slack;
    }
    default:
      return typeof value === "number";
  }
}
