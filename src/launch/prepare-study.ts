import { dirname, join, resolve } from "node:path";
import { UserError } from "../core/errors.ts";
import type { TrafficOptions } from "../core/executor.ts";
import { parseExpression, RUN_NAMES } from "../core/expression.ts";
import { ownMembers } from "../core/family.ts";
import { canonicalJson, shortHash } from "../core/hash.ts";
import { purseOf } from "../core/number-text.ts";
import type { Redactor } from "../core/redact.ts";
import type { Run } from "../core/run.ts";
import type { ServiceRef } from "../core/service.ts";
import type { Limits, Study } from "../core/study.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import { redactorFor } from "../host/environment.ts";
import type { OpenModels } from "../models/open-study-models.ts";
import { describeProgram } from "../plan/identify.ts";
import { Plan } from "../plan/plan.ts";
import { fingerprint, hashModule, programFiles, scorerVersions } from "../targets/fingerprint.ts";
import type { AskedModels, Target } from "../targets/target.ts";
import { checkStudy } from "./check-study.ts";
import { type LoadedStudy, loadStudy, type Overrides } from "./load-study.ts";
import { settleStudy } from "./settle-study.ts";
import { valuesOfParam } from "./settle-tasks.ts";

/** A study that can run: its plan, and what state of the program it measures. */
export interface PreparedStudy extends Omit<LoadedStudy, "study"> {
  study: Readonly<Study>;
  plan: Plan;
  program: string;
  /** The files that the program consists of, and what each holds. */
  programFiles: Record<string, string>;
  /** Which state each of its scorers has. */
  scorers: Record<string, string>;
  /** Undefined for a program. */
  target: Target | undefined;
  /** What its runs ask; none for programs, which nobody can look into. */
  models: AskedModels;
  studyDir: string;
  redactor: Redactor;
  /** Which of its runs are meant this time (--only); all when undefined. */
  isMeant: ((run: Run) => boolean) | undefined;
}

/** Reads the study of a file, and prepares it. */
export async function prepareFile(path: string, overrides: Overrides = {}): Promise<PreparedStudy> {
  return prepareStudy(loadStudy(path, overrides));
}

/** Settles what the file leaves open, plans, and checks: all mistakes show before the first run. */
export async function prepareStudy(loaded: LoadedStudy): Promise<PreparedStudy> {
  const plugins = loaded.study.plugins ?? [];
  if (plugins.length > 0) await (await import("../targets/load-plugins.ts")).loadPlugins(plugins);
  const settled = await settleStudy(loaded);
  const { study, target } = settled;
  const baseDir = dirname(loaded.spec.path);
  const valuesOf = (param: string) => valuesOfParam(study, param);
  const asked = target?.models?.(valuesOf) ?? { names: [] };
  const judges = (study.score ?? []).flatMap(({ by }) => (by.kind === "judge" ? [by.model] : []));
  const models = {
    ...{ ...asked, names: [...asked.names, ...judges] },
    ...(study.models && { isShared: true, pricesFile: study.models.pricesFile }),
  };
  if (loaded.traffic && !models.isShared)
    throw new UserError(optionOf(loaded.traffic), {
      expected:
        "a study whose programs call their models through the gateway: agents such as codex and claude, or models:",
      got: study.name,
      remedy: "Assay's own agent has the parameter record and the model replay:FILE.",
    });
  // Before anything is written: the redactor must know the keys.
  await loadKeys(models, baseDir);
  const redactor = redactorFor({ target: study.target, baseDir, env: study.env });
  const hasTaskVersions = study.taskVersions !== undefined;
  const own = await fingerprint(study.target, { baseDir, valuesOf, hasTaskVersions });
  const code = own + pluginVersion(plugins);
  const scorers = await scorerVersions(study.score);
  // Where scores decide what comes next, another scorer makes another study.
  const isDeciding = study.search !== undefined || study.analysis.decide !== undefined;
  const program = describeProgram(code, study, {
    ...(isDeciding && { scorers }),
    services: await serviceVersions(study.services),
  });
  const files = await programFiles(study.target, baseDir);
  const plan = new Plan(study, program, redactor.text);
  await checkStudy(settled, plan, loaded);
  const studyDir = await placeStudy({ study, plan, program, hide: redactor.text }, loaded.launch);
  const isMeant = loaded.only === undefined ? undefined : chooseRuns(plan, loaded.only);
  return {
    ...loaded,
    study,
    target,
    models,
    program,
    scorers,
    programFiles: files,
    plan,
    studyDir,
    redactor,
    isMeant,
  };
}

/** Which state each service has, and how runs share it. */
function serviceVersions(services: readonly ServiceRef[] = []): Promise<string[]> {
  const versions = services.map(async ({ name, by, reset, per, provides }) => {
    const programs = [await fingerprint(by), reset ? await fingerprint(reset) : ""];
    return canonicalJson([name, ...programs, by.folder ?? "", per, provides]);
  });
  return Promise.all(versions);
}

/** Plugins that decide what a run does, not only how it is carried out, measured or told. */
function pluginVersion(plugins: readonly string[]): string {
  const deciding = plugins.filter((path) =>
    (["model", "sandbox"] as const).some((family) => ownMembers(family, [path]).length > 0),
  );
  return deciding.length === 0 ? "" : ` plugins#${shortHash(deciding.map(hashModule).join())}`;
}

/** By the study's name; where every launch is kept apart, the folder of one of them. */
async function placeStudy(
  placed: { study: Study; plan: Plan; program: string; hide(text: string): string },
  launch: LoadedStudy["launch"],
): Promise<string> {
  const { study } = placed;
  if (study.isStamped) return (await import("./kept-apart.ts")).placeLaunch(placed, launch);
  if (launch?.stamp === undefined) return resolve(study.outRoot, study.name);
  throw new UserError("--rollout", {
    expected: "a study whose launches are kept apart, such as a rollouts file",
    got: study.name,
  });
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

export interface PreparedSeveral {
  ready: PreparedStudy[];
  mistakes: { name: string; error: UserError }[];
}

/** Prepares the studies of one file: a mistake in one of them is told and leaves the others alone. */
export async function prepareSeveral(loaded: readonly LoadedStudy[]): Promise<PreparedSeveral> {
  const result: PreparedSeveral = { ready: [], mistakes: [] };
  for (const one of loaded) {
    try {
      result.ready.push(await prepareStudy(one));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      result.mistakes.push({ name: one.study.name, error });
    }
  }
  return result;
}

function optionOf({ replay, scripted, fault }: TrafficOptions): string {
  if (replay !== undefined) return "--replay";
  return scripted !== undefined ? "--scripted" : fault !== undefined ? "--fault" : "--record";
}

/** Keys that stand in a `.env` beside the study file, where its runs ask language models. */
async function loadKeys({ names, isShared }: PreparedStudy["models"], baseDir: string): Promise<void> {
  if (names.length > 0 || isShared)
    (await import("../models/env-file.ts")).loadEnvFile(join(baseDir, ".env"));
}

/**
 * Before the first run of a study that asks language models: every key and price that will be needed is there, and one
 * budget is open for all of its threads and processes. What comes back closes it.
 */
export async function openModels(
  { study, spec, studyDir, models: { names, isShared = false, ...asked } }: PreparedStudy,
  { limits, beforeUsd }: { limits: Limits; beforeUsd: number },
): Promise<Omit<OpenModels, "spentUsd">> {
  if (names.length === 0 && !isShared)
    return { noteOthers: () => {}, setLimit: () => {}, close: async () => {} };
  const purse = purseOf(limits, beforeUsd);
  const { openStudyModels } = await import("../models/open-study-models.ts");
  return openStudyModels({
    ...asked,
    models: names,
    isShared,
    baseDir: dirname(spec.path),
    limitUsd: purse?.limitUsd ?? null,
    spentUsd: purse?.spentUsd ?? beforeUsd,
    whose: `${purse?.whose ?? "the study"}'s`,
    // What lost calls of earlier launches may have cost counts only where those launches do.
    isLostCounted: purse?.whose !== "the launch",
    lostFile: `${studyDir}/${STUDY_FILES.lostCalls}`,
    bounds: {
      calls: study.limits.calls ?? 0,
      tokens: study.limits.tokens ?? 0,
      perMinute: study.limits.callsPerMinute ?? 0,
      atOnce: study.limits.callsAtOnce ?? 0,
    },
    tallyFile: `${studyDir}/${STUDY_FILES.modelCalls}`,
  });
}
