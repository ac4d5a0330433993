import { dirname, join, resolve } from "node:path";
import { type Place, UserError } from "../core/errors.ts";
import { parseExpression, RUN_NAMES } from "../core/expression.ts";
import type { MetricInfos } from "../core/metric-info.ts";
import type { Params } from "../core/params.ts";
import { createRedactor, type Redactor } from "../core/redact.ts";
import type { Run } from "../core/run.ts";
import type { Search } from "../core/space.ts";
import { chooseExecutor } from "../executors/index.ts";
import { loadInstruments } from "../executors/load-instruments.ts";
import { Plan } from "../plan/plan.ts";
import { describeProgram } from "../plan/program.ts";
import { checkParams } from "../targets/check-params.ts";
import { checkCommand } from "../targets/command/fill-argv.ts";
import { missingScript } from "../targets/command/missing-script.ts";
import { fingerprint, type NamedFiles } from "../targets/fingerprint.ts";
import { loadTarget } from "../targets/load-target.ts";
import { findTarget } from "./find-target.ts";
import type { LoadedStudy } from "./load-study.ts";
import { asksModels } from "./open-models.ts";
import { settleNames } from "./settle-names.ts";
import { settleSweep } from "./settle-sweep.ts";
import { settleTasks } from "./settle-tasks.ts";
import { settleValues } from "./settle-values.ts";
import { valuesOfParam } from "./values-of-param.ts";

/** Cells whose parameters are checked before anything runs; those beyond it are checked as they run. */
const MOST_CHECKED = 2000;

/** A study that can run: its plan, and what state of the program it measures. */
export interface PreparedStudy extends LoadedStudy {
  plan: Plan;
  program: string;
  /** What the target says of what it measures; undefined for a program. */
  metrics?: MetricInfos | undefined;
  studyDir: string;
  redactor: Redactor;
  /** Which of its runs are meant this time (--only); all when undefined. */
  isMeant: ((run: Run) => boolean) | undefined;
}

/** Finds the target, checks every parameter against it, and plans: all mistakes show before the first run. */
export async function prepareStudy(loaded: LoadedStudy): Promise<PreparedStudy> {
  const { study } = loaded;
  study.target = findTarget(
    study.target,
    dirname(loaded.spec.path),
    loaded.locate([loaded.spec.dialect === "bench-spec" ? "experiment" : "target"]),
  );
  await settleSweep(loaded);
  await settleNames(loaded);
  await settleTasks(loaded);
  await settleValues(loaded);
  await loadInstruments({ ...study, plugins: study.plugins ?? [] });
  chooseExecutor(study.executor.kind, study.target);
  // Keys that stand in a .env must be known before anything is written.
  if (asksModels(study)) {
    const { loadEnvFile } = await import("../models/env-file.ts");
    loadEnvFile(join(dirname(loaded.spec.path), ".env"));
  }
  const redactor = createRedactor({ ...process.env, ...study.env });
  const program = describeProgram(await fingerprint(study.target, namedFiles(loaded)), study);
  const plan = new Plan(study, program, redactor.text);
  if (study.target.kind === "command") {
    if (study.iterations.batch !== undefined)
      throw new UserError("batch is for modules, and the target is a program", {
        place: loaded.locate(["iterations", "batch"]),
        remedy: "Let the program do its work several times, or leave batch out.",
      });
    const names = [
      ...Object.keys(study.params),
      ...plan.axisNames,
      ...study.variants.flatMap(({ params }) => Object.keys(params)),
      ...(study.search?.space ?? []).map(({ name }) => name),
    ];
    checkCommand(study.target, names);
    const missing = missingScript(study.target);
    if (missing !== undefined) study.warnings = [...(study.warnings ?? []), missing];
  }
  const points = study.search ? await pointsToCheck(loaded, study.search) : [{}];
  const target = study.target.kind === "command" ? undefined : await loadTarget(study.target);
  if (target) {
    const isHere = !["queue", "slurm"].includes(study.executor.kind);
    let checked = 0;
    for (const { cell } of plan.weighedCells()) {
      for (const point of points) {
        const params = { ...cell.params, ...point };
        const filled = checkParams(target, params, (param) => placeOf(loaded, param));
        await target.check?.(filled, dirname(loaded.spec.path), { isHere });
      }
      if (++checked === MOST_CHECKED) break;
    }
  }
  if (plan.weighedCells().next().done) {
    throw new UserError(`no run satisfies ${JSON.stringify(study.where)}`, {
      remedy: "`assay plan FILE` shows how many runs each value has.",
    });
  }
  return {
    ...loaded,
    plan,
    program,
    metrics: target?.metrics,
    studyDir: await studyFolder(loaded, { plan, program, hide: redactor.text }),
    redactor,
    isMeant: loaded.only === undefined ? undefined : chooseRuns(plan, loaded.only),
  };
}

/** By the study's name; where every launch is kept apart, the folder of one of them. */
async function studyFolder(
  { study, launch }: LoadedStudy,
  planned: { plan: Plan; program: string; hide: (text: string) => string },
): Promise<string> {
  if (study.isStamped) return (await import("./place-launch.ts")).placeLaunch({ study, ...planned }, launch);
  if (launch?.stamp === undefined) return resolve(study.outRoot, study.name);
  throw new UserError("--rollout", {
    expected: "a study whose launches are kept apart, such as a rollouts file",
    got: study.name,
  });
}

/** Loaded only where a study searches: every other one starts without the searchers. */
async function pointsToCheck(loaded: LoadedStudy, search: Search): Promise<Params[]> {
  const { checkSearch, samplePoints } = await import("../search/check-search.ts");
  const problem = checkSearch(loaded, search);
  return loaded.study.target.kind === "command" ? [] : [...samplePoints(problem)];
}

function namedFiles({ study, spec }: LoadedStudy): NamedFiles {
  return {
    baseDir: dirname(spec.path),
    valuesOf: (param) => valuesOfParam(study, param),
    hasTaskVersions: study.taskVersions !== undefined,
  };
}

/** What a rollouts file calls the target's parameters, where that differs. */
const ROLLOUT_KEYS: Record<string, string> = { env: "environment_variables", agent_timeout_s: "timeout" };

/** Where a parameter was set: in the matrix, among the fixed ones, or in a variant. */
function placeOf({ study, locate, spec }: LoadedStudy, param: string): Place {
  const isAxis = study.axes.some(({ names }) => names.includes(param));
  // Lists of both become axes.
  if (spec.dialect === "bench-spec") {
    const inSweep = locate(["sweep", param]);
    return samePlace(inSweep, locate(["sweep"])) ? locate(["params", param]) : inSweep;
  }
  if (spec.dialect === "rollouts-toml") return locate([ROLLOUT_KEYS[param] ?? param]);
  const fixed = spec.dialect === "matrix-json" ? "common_args" : "params";
  if (study.search?.space.some(({ name }) => name === param)) return locate(["search", "space", param]);
  return locate(isAxis ? ["matrix", param] : param in study.params ? [fixed, param] : ["variants"]);
}

/** A path that is not in the file is placed where its beginning stands. */
function samePlace(a: Place, b: Place): boolean {
  return a.line === b.line && a.column === b.column;
}

/** The condition of --only, checked: its names exist, and some run satisfies it. */
function chooseRuns(plan: Plan, only: string): (run: Run) => boolean {
  const { study, axisNames } = plan;
  const variantNames = study.variants.flatMap(({ params }) => Object.keys(params));
  const condition = parseExpression(only, [
    ...Object.keys(study.params),
    ...axisNames,
    ...variantNames,
    ...RUN_NAMES,
  ]);
  const isMeant = ({ params, variant, seed, repeat, task }: Run) =>
    condition.holds({ ...params, variant, seed, repeat, task });
  for (const run of plan.runs()) if (isMeant(run)) return isMeant;
  throw new UserError(`no run satisfies ${JSON.stringify(only)}`, {
    remedy: "`assay plan FILE` shows how many runs each value has.",
  });
}
