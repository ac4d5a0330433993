import { parseExpression } from "../core/expression.ts";
import type { Params, Value } from "../core/params.ts";
import type { Distribution, Search, SpaceParameter } from "../core/space.ts";
import type { Warning } from "../core/warning.ts";
import type { SweepReading, Target } from "../targets/target.ts";
import { type Settable, setParam } from "./set-param.ts";

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
  if (dropped.length > 0) settled.warnings.push(leftOut(dropped));
  if (!standIns || known.has(standIns.unless) || fixed[standIns.unless] !== undefined) return settled;
  const stood = standIn(settled.search, standIns);
  return { search: stood.search, warnings: [...settled.warnings, ...stood.warnings] };
}

/**
 * Parameters in another tool's spelling (`hp-sum-n`, also `hp_sum_n` and `sum-n`) get the target's own. What is fixed is
 * meant to hold: it takes the place of an axis or a range of the same name.
 */
export function settleSpelling<S extends Settable>(
  study: S,
  target: Pick<Target, "params" | "sweeps">,
): { study: S; warnings: Warning[] } {
  const { names = {}, standIns } = target.sweeps ?? {};
  const own = Object.keys((target.params as { shape?: object }).shape ?? {});
  const ours = new Map<string, string | null>(own.map((name) => [plain(name), name]));
  for (const [theirs, name] of Object.entries(names)) ours.set(plain(theirs), name);
  const fixed = Object.entries(study.params);
  const varied = [
    ...study.axes.flatMap((axis) => axis.names),
    ...(study.search?.space ?? []).map(({ name }) => name),
  ];
  const isSettled = fixed.every(([name]) => own.includes(name) && !varied.includes(name));
  if (!target.sweeps || isSettled) return { study, warnings: [] };
  const warnings: Warning[] = [];
  let settled: S = { ...study, params: {} };
  for (const [theirs, given] of fixed) {
    const name = own.includes(theirs)
      ? theirs
      : (ours.get(plain(theirs)) ?? (ours.has(plain(theirs)) ? null : theirs));
    if (name === null) {
      warnings.push(leftOut([theirs]));
      continue;
    }
    const replaced =
      name === standIns?.param && typeof given === "string" && study.params[standIns.unless] === undefined;
    const value = replaced && Object.hasOwn(standIns.values, given) ? standIns.values[given]! : given;
    if (value !== given) warnings.push(readOtherwise(name, given as string, standIns!));
    settled = setParam(settled, [name, value]);
  }
  return { study: settled, warnings };
}

function plain(name: string): string {
  return name.replaceAll("-", "_");
}

function leftOut(names: readonly string[]): Warning {
  return {
    kind: "left-out",
    level: "warn",
    text: `${names.join(", ")}: no parameter of this target; left out`,
  };
}

function readOtherwise(
  param: string,
  value: string,
  { values, because }: NonNullable<SweepReading["standIns"]>,
): Warning {
  const text = `${param}: ${value} is read as ${values[value]}: ${because}`;
  return { kind: "read-otherwise", level: "warn", text };
}

/** Replaces values that nothing here has by what stands in for them, and says so. */
function standIn(search: Search, standIns: NonNullable<SweepReading["standIns"]>): SettledNames {
  const { param, values } = standIns;
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
  const warnings = [...replaced].map((value) => readOtherwise(param, value, standIns));
  return { search: { ...search, space }, warnings };
}

function replaceIn(distribution: Distribution, replace: (value: Value) => Value): Distribution {
  if (distribution.kind === "constant") return { ...distribution, value: replace(distribution.value) };
  if (distribution.kind !== "categorical") return distribution;
  const values = distribution.values.map(replace);
  // Two that became the same are one point, unless each has its own chance.
  return { ...distribution, values: distribution.probabilities ? values : [...new Set(values)] };
}
