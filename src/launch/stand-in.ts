import type { Value } from "../core/params.ts";
import type { Distribution, Search } from "../core/space.ts";
import type { SweepReading } from "../targets/target.ts";

/** Replaces values of a sweep file that nothing here has by what stands in for them, and says so. */
export function standIn(
  search: Search,
  { param, values, because }: NonNullable<SweepReading["standIns"]>,
): string[] {
  const replaced = new Set<string>();
  const replace = (value: Value): Value => {
    if (typeof value !== "string" || !Object.hasOwn(values, value)) return value;
    replaced.add(value);
    return values[value]!;
  };
  search.space = search.space.map((parameter) =>
    parameter.name === param
      ? { ...parameter, distribution: replaceIn(parameter.distribution, replace) }
      : parameter,
  );
  return [...replaced].map((value) => `${param}: ${value} is read as ${values[value]}: ${because}`);
}

function replaceIn(distribution: Distribution, replace: (value: Value) => Value): Distribution {
  if (distribution.kind === "constant") return { ...distribution, value: replace(distribution.value) };
  if (distribution.kind !== "categorical") return distribution;
  const values = distribution.values.map(replace);
  // Two that became the same are one point, unless each has its own chance.
  return { ...distribution, values: distribution.probabilities ? values : [...new Set(values)] };
}
