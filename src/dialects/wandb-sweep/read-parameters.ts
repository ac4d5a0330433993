import { placeText, UserError } from "../../core/errors.ts";
import { shownValue } from "../../core/explain-issue.ts";
import type { Value } from "../../core/params.ts";
import type { Distribution, SpaceParameter } from "../../core/space.ts";
import type { SweepArgs } from "../../core/study.ts";
import { GRID_DISTRIBUTIONS } from "./distribution-keys.ts";
import { type ReadDistribution, readDistribution } from "./read-distribution.ts";
import type { ResolvedFile } from "./resolve-scalars.ts";

type Path = (string | number)[];

export interface ReadParameters {
  space: SpaceParameter[];
  floats: SweepArgs["floats"];
}

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
const MOST_STEPS = 1_000_000;
const MOST_PARAMETERS = 2000;

/** All parameters, nested ones by their paths, sorted at each level. */
export function readParameters(file: ResolvedFile, method: string): ReadParameters {
  const read: ReadParameters = { space: [], floats: [] };
  const names = new Set<string>();
  const visit = (parameters: unknown, names_: string[], path: Path): void => {
    if (!isNamed(parameters) || Object.keys(parameters).length === 0) {
      throw new UserError("", {
        place: file.locate(path),
        expected: "at least one named parameter",
        got: shownValue(parameters),
      });
    }
    for (const key of Object.keys(parameters).sort()) {
      const at = [...path, key];
      const config = parameters[key];
      checkParameter(key, config, { at, file });
      if ("parameters" in config) {
        const beside = Object.keys(config).find((other) => other !== "parameters");
        if (beside !== undefined) {
          throw new UserError(`"${beside}" can't be combined with nested parameters`, {
            place: file.locate([...at, beside]),
            remedy: "Remove one of them.",
          });
        }
        visit(config.parameters, [...names_, key], [...at, "parameters"]);
        continue;
      }
      const own = [...names_, key];
      const name = own.join(".");
      if (names.has(name)) {
        throw new UserError(`the parameter "${name}" appears twice, once nested and once with dots`, {
          place: file.locate(at),
          remedy: "Remove one of them.",
        });
      }
      names.add(name);
      if (names.size > MOST_PARAMETERS) {
        throw new UserError("", {
          place: file.locate(at),
          expected: `at most ${MOST_PARAMETERS} parameters`,
          got: "more",
        });
      }
      const found = readDistribution(config, at, file);
      if (method === "grid") checkGrid(found, config, { at, file });
      const distribution = method === "grid" ? asGrid(found, { at, file }) : found.distribution;
      read.space.push({ name, path: own, distribution });
      noteFloats(found, { own, at, config, file, floats: read.floats });
    }
  };
  visit(file.data.parameters, [], ["parameters"]);
  return read;
}

interface At {
  at: Path;
  file: ResolvedFile;
}

function checkParameter(
  key: string,
  config: unknown,
  { at, file }: At,
): asserts config is Record<string, unknown> {
  if (!NAME.test(key)) {
    throw new UserError(`"${key}" can't be a parameter's name`, {
      place: file.locate(at),
      expected: "a letter or _, then letters, digits, _ . -",
    });
  }
  if (isNamed(config)) return;
  throw new UserError("", {
    place: file.locate(at),
    expected: "how the parameter varies, such as {values: [1, 2]}",
    got: shownValue(config),
    remedy: `For a constant write {value: ${shownValue(config)}}.`,
  });
}

function checkGrid({ name }: ReadDistribution, config: object, { at, file }: At): void {
  const hasProbabilities = "probabilities" in config;
  if (GRID_DISTRIBUTIONS.includes(name) && !hasProbabilities) return;
  throw new UserError(`a grid can't list ${hasProbabilities ? "values with probabilities" : name}`, {
    place: file.locate(hasProbabilities ? [...at, "probabilities"] : at),
    expected: GRID_DISTRIBUTIONS.join(", "),
    remedy: "List its values, or use method: random or bayes.",
  });
}

/** There, a grid goes over q_uniform from min in steps of q, and max is not part of it. */
function asGrid({ name, distribution }: ReadDistribution, { at, file }: At): Distribution {
  if (name !== "q_uniform" || distribution.kind !== "uniform") return distribution;
  const { min, max, step = 1 } = distribution;
  const count = Math.ceil((max - min) / step);
  if (count < 1 || count > MOST_STEPS) {
    throw new UserError("", {
      place: file.locate(at),
      expected: `between 1 and ${MOST_STEPS} steps from min to max, without max itself`,
      got: String(Math.max(0, count)),
    });
  }
  const delta = min + step - min;
  return { kind: "categorical", values: Array.from({ length: count }, (_, i) => min + i * delta) };
}

interface FloatSource extends At {
  own: string[];
  config: Record<string, unknown>;
  floats: SweepArgs["floats"];
}

/** Which whole numbers of a parameter were written as floats, so that they are printed as such. */
function noteFloats(
  { name, isFloat, distribution }: ReadDistribution,
  { own, at, config, file, floats }: FloatSource,
): void {
  if (name === "q_uniform" && distribution.kind === "uniform") {
    const isWhole = ["min", "max"].every((key) => !file.isFloat([...at, key])) && !isFloat;
    if (!isWhole) floats.push({ path: own });
  } else if (isFloat) floats.push({ path: own });
  const values: number[] = [];
  const visit = (value: unknown, path: Path): void => {
    if (Array.isArray(value)) for (const [i, item] of value.entries()) visit(item, [...path, i]);
    else if (isNamed(value)) for (const key of Object.keys(value)) visit(value[key], [...path, key]);
    else if (Number.isInteger(value) && file.isFloat(path)) values.push(value as number);
  };
  for (const key of ["value", "values"]) visit(config[key] as Value, [...at, key]);
  if (values.length > 0) floats.push({ path: own, values });
  const listed = Array.isArray(config.values) ? config.values : [];
  const both = listed.find((value, i) => values.includes(value) && !file.isFloat([...at, "values", i]));
  if (both !== undefined) {
    const place = placeText(file.locate([...at, "values"]));
    file.warnings.push(`${place}: ${both} and ${both}.0 are one value here, and printed as the float`);
  }
}

function isNamed(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
