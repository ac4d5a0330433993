import { UserError } from "../../core/errors.ts";
import { canonicalJson } from "../../core/hash.ts";
import type { Value } from "../../core/params.ts";
import type { Scale, SpaceParameter } from "../../core/space.ts";
import { betaWarp, choices, type Domain, normalWarp, numbers, scaleWarp } from "./domain.ts";

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
