import { UserError } from "../../core/errors.ts";
import { type Expression, parseExpression, RUN_NAMES } from "../../core/expression.ts";
import { canonicalJson } from "../../core/hash.ts";
import type { Params, Value } from "../../core/params.ts";
import type { Scale, SpaceParameter } from "../../core/space.ts";
import { betaWarp, choices, type Domain, normalWarp, numbers, scaleWarp } from "./domain.ts";

/** What is searched. */
export interface Searched {
  space: readonly SpaceParameter[];
  where?: string;
  /** Parameters that do not vary, for the conditions that read them. */
  fixed?: Params;
}

/** One parameter of a space, ready for use. */
export interface SpaceAxis {
  name: string;
  domain: Domain;
  when?: Expression;
  default?: Value;
}

export interface CompiledSpace {
  /** Sorted by their paths, but what a condition reads stands before what it switches. */
  axes: readonly SpaceAxis[];
  where?: Expression;
  /** So many axes, from the first on, decide whether `where` holds. */
  whereDepth: number;
  /** How many combinations there are if nothing is inactive; Infinity with a continuum. */
  size: number;
  fixed: Params;
}

const compiled = new WeakMap<Searched, CompiledSpace>();

/** Checks a space once. */
export function compileSpace(searched: Searched): CompiledSpace {
  let space = compiled.get(searched);
  if (!space) {
    space = build(searched);
    compiled.set(searched, space);
  }
  return space;
}

function build({ space, where: condition, fixed = {} }: Searched): CompiledSpace {
  if (space.length === 0) throw new UserError("there is nothing to search", { remedy: "Name a parameter." });
  const names = new Set<string>();
  for (const { name } of space) {
    if (names.has(name))
      throw new UserError(`the parameter "${name}" is there twice`, { remedy: "Remove one." });
    names.add(name);
  }
  const known = [...names, ...Object.keys(fixed), ...RUN_NAMES];
  const whens = new Map(
    space.flatMap(({ name, when }) =>
      when === undefined ? [] : [[name, parseExpression(when, known)] as const],
    ),
  );
  const axes = inOrder(space, whens).map((parameter): SpaceAxis => {
    const when = whens.get(parameter.name);
    return {
      name: parameter.name,
      domain: makeDomain(parameter),
      ...(when && { when }),
      ...(parameter.default !== undefined && { default: parameter.default }),
    };
  });
  const where = condition === undefined ? undefined : parseExpression(condition, known);
  const size = axes.reduce((product, { domain }) => product * domain.size, 1);
  const whereDepth = where ? 1 + axes.findLastIndex(({ name }) => reads(where, name)) : 0;
  return { axes, size, whereDepth, fixed, ...(where && { where }) };
}

/** The first in the sorted order of which all that its condition reads is already there, again and again. */
function inOrder(space: readonly SpaceParameter[], whens: Map<string, Expression>): SpaceParameter[] {
  const left = [...space].sort((a, b) => comparePaths(a.path, b.path));
  const order: SpaceParameter[] = [];
  while (left.length > 0) {
    const at = left.findIndex(({ name }) => {
      const when = whens.get(name);
      return !when || !left.some((other) => reads(when, other.name));
    });
    if (at < 0) {
      throw new UserError(
        `the conditions of ${left.map(({ name }) => `"${name}"`).join(", ")} go in a circle`,
        { remedy: "A parameter's `when` can't depend on itself." },
      );
    }
    order.push(...left.splice(at, 1));
  }
  return order;
}

function reads(expression: Expression, name: string): boolean {
  for (const read of expression.names) if (read === name || read.startsWith(`${name}.`)) return true;
  return false;
}

function comparePaths(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
  }
  return a.length - b.length;
}

/** What a parameter's distribution says, checked. Its default is one of its values, also where a list forgot it. */
export function makeDomain(parameter: SpaceParameter): Domain {
  const domain = domainOf(parameter);
  if (domain.size < 1) throw mistake(parameter, "has no value", "Widen the bounds, or take a smaller step.");
  const value = parameter.default;
  if (value !== undefined && !domain.has(value))
    throw mistake(parameter, `can't take its default ${canonicalJson(value)}`, "Widen the bounds.");
  return domain;
}

function domainOf(parameter: SpaceParameter): Domain {
  const { distribution } = parameter;
  switch (distribution.kind) {
    case "constant":
      return choices([distribution.value]);
    case "categorical":
      return list(parameter, distribution.values, distribution.probabilities);
    case "integer":
      check(parameter, { ...distribution, isLog: distribution.scale !== "linear" });
      return stepsFromMin(distribution);
    case "uniform": {
      const { min, max, step, scale, anchor } = distribution;
      check(parameter, { min, max, step, isLog: scale !== "linear" });
      if (min === max) return choices([min]);
      if (step === undefined) return numbers(scaleWarp(min, max, scale));
      if (anchor === undefined) return stepsFromMin({ min, max, step, scale });
      return numbers(scaleWarp(min, max, scale), { step, anchor, min, max });
    }
    case "normal": {
      const { sd, step, scale } = distribution;
      check(parameter, { sd, step });
      const min = scale === "log" ? 0 : Number.NEGATIVE_INFINITY;
      const lattice =
        step === undefined ? undefined : { step, anchor: 0, min, max: Number.POSITIVE_INFINITY };
      return numbers(normalWarp(distribution), lattice);
    }
    case "beta": {
      const { a, b, step } = distribution;
      check(parameter, { a, b, step });
      return numbers(betaWarp(a, b), step === undefined ? undefined : { step, anchor: 0, min: 0, max: 1 });
    }
  }
}

/** The first and the last one are as likely as all others: their cells reach half a step beyond. */
function stepsFromMin({
  min,
  max,
  step,
  scale,
}: {
  min: number;
  max: number;
  step: number;
  scale: Scale;
}): Domain {
  const low = scale === "linear" ? min - step / 2 : Math.max(min - step / 2, min / 2);
  const most = min + Math.floor((max - min) / step + 1e-9) * step;
  return numbers(scaleWarp(low, most + step / 2, scale), { step, anchor: min, min, max });
}

function list(parameter: SpaceParameter, values: readonly Value[], probabilities?: number[]): Domain {
  if (values.length === 0) throw mistake(parameter, "has no value", "List at least one.");
  if (probabilities) {
    if (probabilities.length !== values.length || probabilities.some((p) => !(p >= 0 && p <= 1))) {
      const counts = `${probabilities.length} probabilities for ${values.length} values`;
      throw mistake(parameter, `has ${counts}`, "Give one between 0 and 1 for each.");
    }
    if (!probabilities.some((p) => p > 0)) {
      throw mistake(parameter, "has no value with a probability above 0", "Raise one.");
    }
  }
  // A default that is there already is a duplicate, and so no new value.
  const all = parameter.default === undefined ? values : [...values, parameter.default];
  const weights = probabilities && all.map((_, i) => probabilities[i] ?? 0);
  if (weights || choices(values).indexOf(all.at(-1)!) < 0) return choices(all, weights);
  return choices(values);
}

interface Bounds {
  min?: number;
  max?: number;
  step?: number | undefined;
  isLog?: boolean;
  sd?: number;
  a?: number;
  b?: number;
}

function check(parameter: SpaceParameter, { min = 0, max = 0, step, isLog, sd, a, b }: Bounds): void {
  if (!(min <= max) || !Number.isFinite(max - min)) {
    throw mistake(parameter, `goes from ${min} to ${max}`, "Write the smaller bound as min.");
  }
  if (isLog && min <= 0) {
    throw mistake(parameter, `has a logarithmic scale and begins at ${min}`, "Begin above 0.");
  }
  for (const [name, value] of Object.entries({ step, sd, a, b })) {
    if (value !== undefined && !(value > 0 && Number.isFinite(value))) {
      throw mistake(parameter, `has ${name} ${value}`, `Give a ${name} above 0.`);
    }
  }
}

function mistake({ name }: SpaceParameter, message: string, remedy: string): UserError {
  return new UserError(`the parameter "${name}" ${message}`, { remedy });
}
