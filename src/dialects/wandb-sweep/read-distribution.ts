import { UserError } from "../../core/errors.ts";
import { shownValue } from "../../core/explain-issue.ts";
import type { Value } from "../../core/params.ts";
import type { Distribution } from "../../core/space.ts";
import { type At, checkKeys, nameOf } from "./distribution-keys.ts";
import type { ResolvedFile } from "./resolve-scalars.ts";

type Config = Record<string, unknown>;
type Path = (string | number)[];

const DEFAULTS: Record<string, number> = { mu: 0, sigma: 1, a: 1, b: 1, q: 1 };

export interface ReadDistribution {
  /** The name that the file gives it, or that follows from its keys. */
  name: string;
  distribution: Distribution;
  /** Whether every number of it is a float, whatever it looks like. */
  isFloat: boolean;
}

/** One parameter's distribution, stated or told by its keys; every key is checked. */
export function readDistribution(config: Config, path: Path, file: ResolvedFile): ReadDistribution {
  const name = nameOf(config, path, file);
  checkKeys(config, { name, path, file });
  const number = (key: string): number => {
    const value = config[key] ?? DEFAULTS[key];
    if (typeof value === "number") return value;
    throw new UserError("", {
      place: file.locate([...path, key]),
      expected: "a number",
      got: shownValue(value),
    });
  };
  const positive = (key: string): number => {
    const value = number(key);
    if (value > 0) return value;
    throw new UserError("", {
      place: file.locate([...path, key]),
      expected: "a number above 0",
      got: String(value),
    });
  };
  const isQuantised = name.startsWith("q_");
  const step = isQuantised ? { step: positive("q") } : {};
  // There, what was drawn is rounded to a multiple of q, wherever min is.
  const multiples = isQuantised ? { ...step, anchor: 0 } : {};
  // There, a `q` that is left out is the float 1.0.
  const isFloat = !isQuantised || !("q" in config) || file.isFloat([...path, "q"]);
  const bounds = () => readBounds(number, { name, path, file });
  const kind = name.replace(/^q_/, "");
  switch (kind) {
    case "constant":
      return { name, distribution: { kind, value: config.value as Value }, isFloat: false };
    case "categorical":
    case "categorical_w_probabilities":
      return { name, distribution: readChoices(config, path, file), isFloat: false };
    case "int_uniform":
      for (const key of ["min", "max"]) {
        if (Number.isInteger(config[key]) && !file.isFloat([...path, key])) continue;
        throw new UserError("", {
          place: file.locate([...path, key]),
          expected: "a whole number, since the distribution is int_uniform",
          got: file.scalarAt([...path, key])?.text ?? shownValue(config[key]),
        });
      }
      return {
        name,
        distribution: { kind: "integer", ...bounds(), scale: "linear", step: 1 },
        isFloat: false,
      };
    case "uniform":
      return { name, distribution: { kind, ...bounds(), scale: "linear", ...multiples }, isFloat };
    case "normal":
    case "log_normal": {
      const scale = kind === "normal" ? "linear" : "log";
      return {
        name,
        distribution: { kind: "normal", mean: number("mu"), sd: positive("sigma"), scale, ...step },
        isFloat,
      };
    }
    case "beta":
      return { name, distribution: { kind, a: positive("a"), b: positive("b"), ...step }, isFloat };
    default: {
      const scale = kind.startsWith("inv_") ? "inverse-log" : "log";
      return { name, distribution: { kind: "uniform", ...bounds(), scale, ...multiples }, isFloat };
    }
  }
}

/** The bounds of the values themselves: the older log distributions state exponents of e. */
function readBounds(number: (key: string) => number, { name, path, file }: At): { min: number; max: number } {
  const [min, max] = [number("min"), number("max")];
  if (min > max) {
    throw new UserError("", {
      place: file.locate([...path, "max"]),
      expected: `a number of at least min, ${min}`,
      got: String(max),
    });
  }
  if (!name.includes("log_uniform")) return { min, max };
  if (name.endsWith("_values")) {
    if (min > 0) return { min, max };
    throw new UserError("", {
      place: file.locate([...path, "min"]),
      expected: "a number above 0, since the scale is logarithmic",
      got: String(min),
    });
  }
  const [low, high] = name.startsWith("inv_") ? [-max, -min] : [min, max];
  if (Number.isFinite(Math.exp(high)) && Math.exp(low) > 0)
    return { min: Math.exp(low), max: Math.exp(high) };
  throw new UserError("", {
    place: file.locate(path),
    expected: `exponents of e between -700 and 700, which ${name} takes`,
    got: `${min} and ${max}`,
    remedy: `For the values themselves use ${name}_values.`,
  });
}

function readChoices(config: Config, path: Path, file: ResolvedFile): Distribution {
  const { values, probabilities } = config;
  if (!Array.isArray(values) || values.length === 0) {
    throw new UserError("", {
      place: file.locate([...path, "values"]),
      expected: "a list with at least one value",
      got: shownValue(values),
    });
  }
  if (probabilities === undefined) return { kind: "categorical", values };
  const place = file.locate([...path, "probabilities"]);
  const isGood = (p: unknown) => typeof p === "number" && p >= 0 && p <= 1;
  if (!Array.isArray(probabilities) || !probabilities.every(isGood)) {
    throw new UserError("", {
      place,
      expected: "a list of numbers between 0 and 1",
      got: shownValue(probabilities),
    });
  }
  if (probabilities.length !== values.length) {
    throw new UserError("", {
      place,
      expected: `one probability for each of the ${values.length} values`,
      got: String(probabilities.length),
    });
  }
  const sum = probabilities.reduce((total: number, p: number) => total + p, 0);
  if (Math.abs(sum - 1) > 1e-6) {
    throw new UserError("", { place, expected: "probabilities that add up to 1", got: String(sum) });
  }
  return { kind: "categorical", values, probabilities };
}
