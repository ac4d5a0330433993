import { parseExpression } from "../core/expression.ts";
import { flattenParams } from "../core/nest-params.ts";
import { type Params, sameValue, type Value } from "../core/params.ts";
import type { Search, SpaceParameter } from "../core/space.ts";

/** Tells whether a run's parameters are a point of the search as it is now; they may be of a space that it had once. */
export function admitsPoint({ space, where: condition }: Search): (params: Params) => boolean {
  const whens = space.map(({ when }) => (when === undefined ? undefined : parseExpression(when)));
  const where = condition === undefined ? undefined : parseExpression(condition);
  return (params) => {
    const point = flattenParams(params, space);
    const scope = { ...params, ...point };
    const fits = space.every((parameter, i) => {
      const value = point[parameter.name];
      const isActive = whens[i]?.holds(scope) ?? true;
      return isActive ? value !== undefined && takes(parameter, value) : value === undefined;
    });
    return fits && (!where || where.holds(scope));
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
      // The nearest multiple of a step may lie beyond a bound, by at most half a step.
      return typeof value === "number" && value >= min - step / 2 && value <= max + step / 2;
    }
    default:
      return typeof value === "number";
  }
}
