import { type Place, UserError } from "../core/errors.ts";
import { shownValue } from "../core/explain-issue.ts";
import { parseExpression } from "../core/expression.ts";
import { canonicalJson } from "../core/hash.ts";
import type { Distribution, Objective, Search, SpaceParameter } from "../core/space.ts";
import type { Analysis, Study } from "../core/study.ts";
import type { NativeParameter, NativeSearch } from "./native-search-schema.ts";
import type { SourceFile } from "./source-file.ts";

type Draft = Pick<Study, "params" | "axes" | "variants" | "analysis" | "limits">;

/** These learn from a metric. A name that is none of the searchers' is told by whoever knows them all. */
const LEARNING = ["tpe", "gp", "cmaes", "auto"];

/** The `search:` of a native study, checked as far as the file alone can tell. */
export function readSearch(spec: NativeSearch, study: Draft, file: SourceFile): Search {
  const space = Object.entries(spec.space).map(([name, parameter]) => readParameter(name, parameter, file));
  if (space.length === 0) {
    throw new UserError("", {
      place: file.locate(["search", "space"]),
      expected: "at least one parameter",
      got: "none",
      remedy: "Write space: {lr: {min: 0.001, max: 0.1, scale: log}}.",
    });
  }
  checkNames(space, study, file);
  if (spec.method === "grid") for (const parameter of space) checkGrid(parameter, file);
  checkConditions(spec, { space, study, file });
  const { kind, ...options } = spec.stop ?? {};
  const search: Search = {
    method: spec.method,
    options: spec.options,
    space,
    objectives: spec.objectives?.map(asObjective) ?? objectiveOf(study.analysis),
    constraints: spec.constraints,
    seed: spec.seed,
  };
  if (spec.where !== undefined) search.where = spec.where;
  if (spec.points !== undefined) search.points = spec.points;
  if (kind !== undefined) search.earlyStop = { kind, options };
  checkEnd(search, study, file);
  return search;
}

function checkNames(space: SpaceParameter[], { params, axes, variants }: Draft, file: SourceFile): void {
  const elsewhere = new Map<string, string>();
  for (const name of Object.keys(params)) elsewhere.set(name, "params");
  for (const name of axes.flatMap((axis) => axis.names)) elsewhere.set(name, "the matrix");
  for (const variant of variants) {
    for (const name of Object.keys(variant.params)) elsewhere.set(name, `the variant "${variant.name}"`);
  }
  for (const { name } of space) {
    const where = elsewhere.get(name);
    if (where === undefined) continue;
    throw new UserError(`"${name}" is searched, and ${where} sets it too`, {
      place: file.locate(["search", "space", name]),
      remedy: "Leave it out of one of the two.",
    });
  }
}

function checkGrid({ name, distribution: { kind, ...rest } }: SpaceParameter, file: SourceFile): void {
  if (kind === "constant" || kind === "categorical" || kind === "integer") return;
  if (kind === "uniform" && "step" in rest) return;
  throw new UserError("a grid can't list all values between two bounds", {
    place: file.locate(["search", "space", name]),
    expected: "values, or min and max with a step",
    remedy: "Give it a step, or take another method.",
  });
}

interface Setting {
  space: SpaceParameter[];
  study: Draft;
  file: SourceFile;
}

function checkConditions(spec: NativeSearch, { space, study, file }: Setting): void {
  const names = [...Object.keys(study.params), ...space.map(({ name }) => name)];
  const check = (text: string | undefined, known: string[] | undefined, path: (string | number)[]) => {
    try {
      return text === undefined ? undefined : parseExpression(text, known);
    } catch (error) {
      throw error instanceof UserError ? error.at(file.locate(["search", ...path])) : error;
    }
  };
  for (const { name, when } of space) {
    const condition = check(when, names, ["space", name, "when"]);
    if (!condition?.names.has(name)) continue;
    throw new UserError(`the condition "${when}" of ${name} reads ${name} itself`, {
      place: file.locate(["search", "space", name, "when"]),
      remedy: "Use search.where to leave out values.",
    });
  }
  check(spec.where, names, ["where"]);
  for (const [i, constraint] of spec.constraints.entries()) check(constraint, undefined, ["constraints", i]);
}

/** A search must know what it looks for, and when it is over. */
function checkEnd(search: Search, { limits }: Draft, file: SourceFile): void {
  const { method, objectives, points, earlyStop } = search;
  const place = file.locate(["search"]);
  const learns = LEARNING.includes(method);
  if (objectives.length === 0 && (learns || earlyStop)) {
    throw new UserError("", {
      place: file.locate(["search", learns ? "method" : "stop"]),
      expected: `a metric, which ${learns ? method : "stop"} needs`,
      got: "none",
      remedy: "Write analysis: {metric: score, goal: maximize}, or objectives.",
    });
  }
  const hasTarget = objectives.some(({ target }) => target !== undefined);
  if (method === "grid" || points !== undefined || hasTarget || limits.costUsd !== undefined) return;
  throw new UserError("", {
    place,
    expected: "points, since only a grid ends on its own",
    got: "none",
    remedy: "Write points: 50, a target, or limits: {costUsd: 5}.",
  });
}

function objectiveOf({ metric, goal = "minimize" }: Analysis): Objective[] {
  return metric === undefined ? [] : [{ metric, goal }];
}

function asObjective({ target, ...objective }: NonNullable<NativeSearch["objectives"]>[number]): Objective {
  return target === undefined ? objective : { ...objective, target };
}

/** One parameter of `search.space`, checked as far as its own line can tell. */
function readParameter(name: string, parameter: NativeParameter, file: SourceFile): SpaceParameter {
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
