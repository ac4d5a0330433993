import { type Place, UserError } from "../core/errors.ts";
import { shownValue } from "../core/explain-issue.ts";
import { canonicalJson } from "../core/hash.ts";
import type { Distribution, SpaceParameter } from "../core/space.ts";
import type { NativeParameter } from "./native-search-schema.ts";
import type { SourceFile } from "./source-file.ts";

/** One parameter of `search.space`, checked as far as its own line can tell. */
export function readParameter(name: string, parameter: NativeParameter, file: SourceFile): SpaceParameter {
  const path = ["search", "space", name];
  const distribution = readDistribution(parameter, path, file);
  const result: SpaceParameter = { name, path: [name], distribution };
  if (Array.isArray(parameter) || "value" in parameter) return result;
  if (parameter.when !== undefined) result.when = parameter.when;
  if (parameter.default !== undefined) {
    result.default = parameter.default;
    checkDefault(result, file.locate([...path, "default"]));
  }
  return result;
}

function readDistribution(parameter: NativeParameter, path: string[], file: SourceFile): Distribution {
  if (Array.isArray(parameter)) return distinct({ kind: "categorical", values: parameter }, path, file);
  if ("value" in parameter) return { kind: "constant", value: parameter.value };
  if ("values" in parameter) {
    const { values, probabilities } = parameter;
    if (!probabilities) return distinct({ kind: "categorical", values }, path, file);
    const place = file.locate([...path, "probabilities"]);
    const sum = probabilities.reduce((total, p) => total + p, 0);
    if (probabilities.length !== values.length)
      throw new UserError("", {
        place,
        expected: `${values.length} numbers`,
        got: String(probabilities.length),
      });
    if (Math.abs(sum - 1) > 1e-6)
      throw new UserError("", { place, expected: "probabilities that add up to 1", got: String(sum) });
    return distinct({ kind: "categorical", values, probabilities }, path, file);
  }
  if ("min" in parameter) return readRange(parameter, path, file);
  if ("beta" in parameter) return { kind: "beta", ...defined(parameter.beta) };
  const scale = "normal" in parameter ? "linear" : "log";
  return {
    kind: "normal",
    scale,
    ...defined("normal" in parameter ? parameter.normal : parameter.logNormal),
  };
}

type Range = Extract<NativeParameter, { min: number }>;

function readRange({ min, max, scale, step }: Range, path: string[], file: SourceFile): Distribution {
  if (min > max) {
    throw new UserError("", {
      place: file.locate([...path, "max"]),
      expected: `a number of at least min, ${min}`,
      got: String(max),
    });
  }
  if (scale !== "linear" && min <= 0) {
    throw new UserError("", {
      place: file.locate([...path, "min"]),
      expected: `a number above 0, since the scale is ${scale}`,
      got: String(min),
    });
  }
  if (step === undefined) return { kind: "uniform", min, max, scale };
  return Number.isInteger(step) && Number.isInteger(min)
    ? { kind: "integer", min, max, scale, step }
    : { kind: "uniform", min, max, scale, step };
}

/** What is listed twice would be tried twice as often, which probabilities say better. */
function distinct<T extends Extract<Distribution, { kind: "categorical" }>>(
  distribution: T,
  path: string[],
  file: SourceFile,
): T {
  const seen = new Set<string>();
  for (const value of distribution.values) {
    const key = canonicalJson(value);
    if (seen.has(key)) {
      throw new UserError(`${shownValue(value)} is listed twice`, {
        place: file.locate(path),
        remedy: "Remove one; to try a value more often use probabilities:.",
      });
    }
    seen.add(key);
  }
  return distribution;
}

function checkDefault({ distribution, default: value }: SpaceParameter, place: Place): void {
  const { kind } = distribution;
  if (kind === "categorical") {
    if (distribution.values.some((item) => canonicalJson(item) === canonicalJson(value))) return;
    throw new UserError("", { place, expected: "one of the values", got: shownValue(value) });
  }
  const isNumber = typeof value === "number";
  const isInside =
    isNumber &&
    (kind === "integer" || kind === "uniform"
      ? value >= distribution.min && value <= distribution.max
      : true);
  if (isInside) return;
  throw new UserError("", { place, expected: "a number within the bounds", got: shownValue(value) });
}

function defined<T extends { step?: number | undefined }>({
  step,
  ...rest
}: T): Omit<T, "step"> & { step?: number } {
  return step === undefined ? rest : { ...rest, step };
}
