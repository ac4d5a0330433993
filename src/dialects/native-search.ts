import { UserError } from "../core/errors.ts";
import { parseExpression } from "../core/expression.ts";
import type { Objective, Search, SpaceParameter } from "../core/space.ts";
import type { Analysis, Study } from "../core/study.ts";
import type { NativeSearch } from "./native-search-schema.ts";
import { readParameter } from "./native-space.ts";
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
