import { parseExpression } from "../core/expression.ts";
import type { Params, Value } from "../core/params.ts";
import type { Distribution, Search, SpaceParameter } from "../core/space.ts";
import type { Warning } from "../core/warning.ts";
import type { SweepReading } from "../targets/target.ts";

interface SettledNames {
  search: Search;
  warnings: Warning[];
}

/**
 * A search space in another tool's names gets the target's own: what the target does not have is left out, and
 * parameters that do nothing for some value of another make no runs there.
 */
export function settleNames(
  search: Search,
  { names = {}, when = {}, standIns }: Partial<SweepReading>,
  fixed: Params,
): SettledNames {
  const dropped = search.space.filter(({ name }) => names[name] === null).map(({ name }) => name);
  const renamed = search.space
    .filter(({ name }) => names[name] !== null)
    .map((parameter): SpaceParameter => {
      const ours = Object.hasOwn(names, parameter.name) ? names[parameter.name]! : parameter.name;
      return { ...parameter, name: ours, path: [ours, ...parameter.path.slice(1)] };
    });
  const known = new Set(renamed.map(({ name }) => name));
  const space = renamed.map((parameter): SpaceParameter => {
    const condition = Object.hasOwn(when, parameter.name) ? when[parameter.name] : undefined;
    if (condition === undefined || parameter.when !== undefined) return parameter;
    // A condition on what the file does not vary would hold everywhere or nowhere.
    const isVaried = [...parseExpression(condition).names].every((name) => known.has(name));
    return isVaried ? { ...parameter, when: condition } : parameter;
  });
  const settled: SettledNames = { search: { ...search, space }, warnings: [] };
  if (dropped.length > 0)
    settled.warnings.push({
      kind: "left-out",
      level: "warn",
      text: `${dropped.join(", ")}: no parameter of this target; left out`,
    });
  if (!standIns || known.has(standIns.unless) || fixed[standIns.unless] !== undefined) return settled;
  const stood = standIn(settled.search, standIns);
  return { search: stood.search, warnings: [...settled.warnings, ...stood.warnings] };
}

/** Replaces values that nothing here has by what stands in for them, and says so. */
function standIn(
  search: Search,
  { param, values, because }: NonNullable<SweepReading["standIns"]>,
): SettledNames {
  const replaced = new Set<string>();
  const replace = (value: Value): Value => {
    if (typeof value !== "string" || !Object.hasOwn(values, value)) return value;
    replaced.add(value);
    return values[value]!;
  };
  const space = search.space.map((parameter) =>
    parameter.name === param
      ? { ...parameter, distribution: replaceIn(parameter.distribution, replace) }
      : parameter,
  );
  const warnings = [...replaced].map((value): Warning => {
    const text = `${param}: ${value} is read as ${values[value]}: ${because}`;
    return { kind: "read-otherwise", level: "warn", text };
  });
  return { search: { ...search, space }, warnings };
}

function replaceIn(distribution: Distribution, replace: (value: Value) => Value): Distribution {
  if (distribution.kind === "constant") return { ...distribution, value: replace(distribution.value) };
  if (distribution.kind !== "categorical") return distribution;
  const values = distribution.values.map(replace);
  // Two that became the same are one point, unless each has its own chance.
  return { ...distribution, values: distribution.probabilities ? values : [...new Set(values)] };
}
