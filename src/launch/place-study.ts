import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { launchesOf } from "../archive/find-study.ts";
import { latestRecords, readStudyFile } from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import { canonicalJson } from "../core/hash.ts";
import { hashOf } from "../core/run.ts";
import { isStamp, stampOf } from "../core/stamp.ts";
import type { Study } from "../core/study.ts";
import { suggestion } from "../core/suggest.ts";
import type { Plan } from "../plan/plan.ts";

/** Which launch is meant, where each has a folder of its own. */
export interface LaunchChoice {
  isFresh?: boolean | undefined;
  /** What is to be done again is in the newest one, whether that has ended or not. */
  isRerun?: boolean | undefined;
  /** The launch to go on with, by its time. */
  stamp?: string | undefined;
}

interface PlacedStudy {
  study: Study;
  plan: Plan;
  program: string;
  /** Takes secrets out of a text, as they were taken out of study.json. */
  hide?: (text: string) => string;
}

/** By the study's name; where every launch is kept apart, the folder of one of them. */
export function placeStudy(placed: PlacedStudy, launch?: LaunchChoice): string {
  const { study } = placed;
  if (study.isStamped) return placeLaunch(placed, launch);
  if (launch?.stamp === undefined) return resolve(study.outRoot, study.name);
  throw new UserError("--rollout", {
    expected: "a study whose launches are kept apart, such as a rollouts file",
    got: study.name,
  });
}

/**
 * The folder of a launch: the one that was named, the newest one if it was cut short and is of the same plan, or a
 * new one. A run that failed has ended: only runs without a record, and cancelled ones, are missing.
 */
function placeLaunch(
  { study, plan, program, hide = (text) => text }: PlacedStudy,
  { isFresh, isRerun, stamp }: LaunchChoice = {},
): string {
  const parent = resolve(study.outRoot, study.name);
  if (stamp !== undefined) return namedLaunch(parent, stamp);
  const newest = isFresh ? undefined : launchesOf(parent).at(-1);
  const isSame = newest !== undefined && isSamePlan(newest, { study, program, hide });
  if (isSame && (isRerun || lacksRuns(newest, plan))) return newest;
  return newLaunch(parent);
}

function namedLaunch(parent: string, stamp: string): string {
  const launches = launchesOf(parent).map((dir) => basename(dir));
  if (launches.includes(stamp)) return join(parent, stamp);
  throw new UserError(`there is no launch ${stamp} in ${parent}`, {
    ...(!isStamp(stamp) && { expected: "a time such as 20250824__12-34-56" }),
    remedy: launches.length > 0 ? suggestion(stamp, launches) : "Leave --rollout out for a first one.",
  });
}

/** Two launches within one second are told apart by giving the later one the next second. */
function newLaunch(parent: string): string {
  for (let ms = Date.now(); ; ms += 1000) {
    const dir = join(parent, stampOf(new Date(ms).toISOString()));
    if (!existsSync(dir)) return dir;
  }
}

function isSamePlan(
  dir: string,
  { study, program, hide }: Required<Pick<PlacedStudy, "study" | "program" | "hide">>,
): boolean {
  const before = readStudyFile(dir);
  return before?.program === program && planText(before.study) === hide(planText(study));
}

function planText({ params, axes, variants, where, seeds, tasks, repeats, ...rest }: Study): string {
  const { taskVersions, valueVersions } = rest;
  return canonicalJson(
    // What is undefined in memory is absent in study.json.
    JSON.parse(
      JSON.stringify({
        ...{ params, axes, variants, where, seeds, tasks, taskVersions, valueVersions, repeats },
      }),
    ),
  );
}

function lacksRuns(dir: string, plan: Plan): boolean {
  const ended = new Set<string>();
  for (const { id, outcome } of latestRecords(dir)) {
    if (outcome.status !== "cancelled") ended.add(hashOf(id));
  }
  for (const run of plan.runs()) if (!ended.has(hashOf(run.id))) return true;
  return false;
}
