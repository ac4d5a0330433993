import { placeText, UserError } from "../../core/errors.ts";
import { RUN_NAMES } from "../../core/expression.ts";
import type { Value } from "../../core/params.ts";
import type { EarlyStop, Search, SpaceParameter } from "../../core/space.ts";
import { type DeclaredStudy, type SweepArgs, USUAL_LIMITS } from "../../core/study.ts";
import type { Warning } from "../../core/warning.ts";
import { checkShape } from "../check-shape.ts";
import type { Dialect } from "../dialect.ts";
import { readTarget, stem } from "../native.ts";
import { readCommand } from "./read-command.ts";
import { readParameters } from "./read-parameters.ts";
import { type ResolvedFile, resolveScalars } from "./resolve-scalars.ts";
import { type SweepFile, sweepSchema } from "./sweep-schema.ts";

const MOST_SEEDS = 10;

/** What searches where such a file says `method: bayes`. */
const BAYES_SEARCHER = "auto";

/** Keys that mean something only to that tool's servers, and why nothing comes of them here. */
const WITHOUT_EFFECT: Partial<Record<keyof SweepFile, string>> = {
  project: "there are no projects here; results are in the study's folder",
  entity: "there are no entities here; results are in the study's folder",
  controller: "the search always runs here, on this machine",
  scheduler: "runs are started by `assay run` or `assay worker`",
  job: "jobs of that tool can't be started from here; the command is run",
  image_uri: "no container is started; the command is run as it is",
};

/** The sweep file of Weights & Biases, as its users wrote it. */
export const wandbSweep: Dialect = {
  name: "wandb-sweep",
  description: "W&B sweep file: method, parameters, program or command, metric, early_terminate, run_cap",
  detects: ({ data }) =>
    !["study", "extends", "matrix"].some((key) => key in data) &&
    ("target" in data
      ? "method" in data && "parameters" in data
      : "parameters" in data || ("method" in data && ("program" in data || "command" in data))),
  parse(source) {
    const file = resolveScalars(source);
    const spec = checkShape(sweepSchema(), file);
    if (spec.method === "custom") {
      throw new UserError(
        "method: custom is a search of your own on that tool's servers, which can't run here",
        {
          place: file.locate(["method"]),
          remedy: "Use grid, random or bayes, or a native study with search:.",
        },
      );
    }
    const needsMetric = spec.method === "bayes" ? "method: bayes" : spec.early_terminate && "early_terminate";
    if (needsMetric && !spec.metric) {
      throw new UserError("", {
        place: file.locate([spec.method === "bayes" ? "method" : "early_terminate"]),
        expected: `metric, which ${needsMetric} needs`,
        got: "none",
        remedy: "Write metric: {name: val_loss, goal: minimize}.",
      });
    }
    const { space, floats } = readParameters(file, spec.method);
    const reserved = reserveNames(space, { method: spec.method, file });
    const warnings = [
      ...warningsOf("read-otherwise", file.warnings),
      ...warningsOf("without-effect", withoutEffect(spec, file)),
      ...warningsOf("reserved-name", reserved.warnings),
    ];
    const { metric } = spec;
    const study: DeclaredStudy = {
      name: folderName(spec.name ?? stem(file.path)),
      target:
        spec.target === undefined
          ? {
              kind: "command",
              argv: readCommand(spec, file),
              // Where its agent would be started.
              cwd: file.callerDir,
              watch: [],
              sweepArgs: { floats, ...reserved.printed },
            }
          : readTarget(spec.target, source),
      params: {},
      axes: [],
      variants: [{ name: "baseline", params: {}, flags: [] }],
      seeds: reserved.seeds,
      repeats: { warmup: 0, measured: 1 },
      iterations: { warmup: 0, measured: 1 },
      search: readSearch(spec, reserved.space, file),
      instruments: [],
      limits: { ...USUAL_LIMITS, graceMs: 30_000 },
      executor: { kind: "", jobs: 1 },
      artifacts: "all",
      analysis: metric ? { metric: metric.name, goal: metric.goal } : {},
      outRoot: "bench_runs",
      env: {},
      ...(spec.description && { question: spec.description }),
      ...(spec.target !== undefined && { open: { names: true } }),
    };
    return warnings.length > 0 ? { ...study, warnings } : study;
  },
  paths: {
    param: (name) => ["parameters", name],
    search: ([key, ...rest]) => (key === undefined ? [] : [KEYS[key] ?? key, ...rest]),
  },
};

/** What such a file calls the parts of a search, where that differs. */
const KEYS: Partial<Record<string | number, string>> = { stop: "early_terminate", space: "parameters" };

function warningsOf(kind: string, texts: readonly string[]): Warning[] {
  return texts.map((text) => ({ kind, level: "warn", text }));
}

function readSearch(spec: SweepFile, space: Search["space"], file: ResolvedFile): Search {
  const { method, metric, run_cap: points } = spec;
  const earlyStop = readEarlyStop(spec, file);
  return {
    method: method === "bayes" ? BAYES_SEARCHER : method,
    options: {},
    space,
    ...(points !== undefined && { points }),
    objectives: metric
      ? [
          {
            metric: metric.name,
            goal: metric.goal,
            ...(metric.target !== undefined && { target: metric.target }),
          },
        ]
      : [],
    constraints: [],
    ...(earlyStop && { earlyStop }),
    seed: 1,
  };
}

function readEarlyStop({ early_terminate: rule }: SweepFile, file: ResolvedFile): EarlyStop | undefined {
  if (!rule) return undefined;
  const { min_iter: minIter, max_iter: maxIter, s, eta, strict } = rule;
  if (maxIter !== undefined && s !== undefined)
    return { kind: "hyperband", options: { max_iter: maxIter, s, eta, strict }, countsValues: true };
  if (minIter !== undefined)
    return { kind: "hyperband", options: { min_iter: minIter, eta, strict }, countsValues: true };
  throw new UserError("", {
    place: file.locate(["early_terminate"]),
    expected: "min_iter, or max_iter with s",
    got:
      ["min_iter", "max_iter", "s"].filter((key) => rule[key as "s"] !== undefined).join(", ") ||
      "neither of them",
  });
}

function withoutEffect(spec: SweepFile, file: ResolvedFile): string[] {
  const keys = Object.keys(WITHOUT_EFFECT) as (keyof SweepFile)[];
  const warnings = keys
    .filter((key) => spec[key] !== undefined)
    .map((key) => `${placeText(file.locate([key]))}: has no effect: ${WITHOUT_EFFECT[key]}`);
  const { impute } = spec.metric ?? {};
  if (impute === "best" || impute === "latest") {
    const place = placeText(file.locate(["metric", "impute"]));
    warnings.push(`${place}: has no effect: a run that fails counts as the worst`);
  }
  return warnings;
}

/** A sweep may be called anything; a folder can't. */
function folderName(name: string): string {
  return (
    name
      .trim()
      .replaceAll(/[/\\]+/g, "-")
      .replace(/^\.+/, "") || "sweep"
  );
}

interface Reserved {
  space: SpaceParameter[];
  seeds: number[];
  /** How the program gets its parameters under the names that it knows. */
  printed: Pick<SweepArgs, "seedName" | "names">;
  warnings: string[];
}

/**
 * Every run of a study has a seed, a variant, a task and a repeat of its own, so parameters of these names can't stand
 * beside them. A parameter `seed` becomes the seeds of the study; the others are called `task_` and the like in
 * tables. The program sees the names of its file.
 */
function reserveNames(
  space: SpaceParameter[],
  { method, file }: { method: string; file: ResolvedFile },
): Reserved {
  const reserved: Reserved = { space: [], seeds: [1], printed: {}, warnings: [] };
  const tell = (path: string[], text: string) =>
    reserved.warnings.push(`${placeText(file.locate(["parameters", ...path]))}: ${text}`);
  const names: Record<string, string> = {};
  for (const parameter of space) {
    const [top, ...below] = parameter.path as [string, ...string[]];
    if (top === "seed" && below.length === 0) {
      const seeds = wholeNumbers(parameter);
      if (!seeds) {
        throw new UserError("", {
          place: file.locate(["parameters", "seed"]),
          expected: `a list of whole numbers, or at most ${MOST_SEEDS} from min to max, since they are the study's seeds`,
          remedy: "Write seed: {values: [1, 2, 3]}, or give the parameter another name.",
        });
      }
      reserved.seeds = seeds;
      reserved.printed.seedName = "seed";
      if (method !== "grid" && seeds.length > 1) {
        tell(["seed"], `each point is run with all ${seeds.length} seeds, and the search sees their mean`);
      }
    } else if (RUN_NAMES.includes(top)) {
      const path = [`${top}_`, ...below];
      names[`${top}_`] = top;
      reserved.space.push({ ...parameter, name: path.join("."), path });
    } else reserved.space.push(parameter);
  }
  for (const [ours, theirs] of Object.entries(names)) {
    tell([theirs], `called "${ours}" in tables, since every run has a ${theirs}; the program gets ${theirs}`);
  }
  if (Object.keys(names).length > 0) reserved.printed.names = names;
  return reserved;
}

function wholeNumbers({ distribution }: SpaceParameter): number[] | undefined {
  if (distribution.kind === "integer") {
    const { min, max } = distribution;
    if (max - min >= MOST_SEEDS) return undefined;
    return Array.from({ length: max - min + 1 }, (_, i) => min + i);
  }
  const values: Value[] =
    distribution.kind === "constant"
      ? [distribution.value]
      : distribution.kind === "categorical"
        ? distribution.values
        : [];
  const numbers = values.filter((value) => Number.isInteger(value)) as number[];
  return numbers.length === values.length && numbers.length > 0 ? [...new Set(numbers)] : undefined;
}
