import { existsSync } from "node:fs";
import { basename, isAbsolute, join, relative, resolve } from "node:path";
import {
  latestRecords,
  launchesOf,
  linkFolder,
  readNumbers,
  readStudyFile,
} from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import { canonicalJson } from "../core/hash.ts";
import type { Redactor } from "../core/redact.ts";
import { hashOf, isFailure, type Run, type RunRecord } from "../core/run.ts";
import type { Sink } from "../core/sink.ts";
import type { Study } from "../core/study.ts";
import { isStamp, stampOf } from "../core/study-folder.ts";
import { suggestion } from "../core/suggest.ts";
import type { Plan } from "../plan/plan.ts";
import type { Target } from "../targets/target.ts";
import type { LaunchChoice } from "./load-study.ts";
import type { PreparedStudy } from "./prepare-study.ts";

interface PlacedStudy {
  study: Study;
  plan: Plan;
  program: string;
  /** Takes secrets out of a text, as they were taken out of study.json. */
  hide?: (text: string) => string;
}

/**
 * The folder of a launch: the one that was named, the newest one if it was cut short and is of the same plan, or a
 * new one. A run that failed has ended: only runs without a record, and cancelled ones, are missing.
 */
export function placeLaunch(
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

/** What running one launch of several needs beside what every study needs. */
export interface OpenLaunch {
  sinks: Sink[];
  isMeant: (run: Run) => boolean;
  /** Runs that have failed by the agent's own fault, which is a result. */
  settled: number;
}

/**
 * Opens a launch, a new one or one that goes on. What an agent failed at is not tried again, unless it is asked for:
 * who repeats failures only, until they pass, measures something else.
 */
export function openLaunch(prepared: PreparedStudy, rerun: string | undefined): OpenLaunch {
  const { plan, studyDir, isMeant = () => true } = prepared;
  const planned = new Set<string>();
  for (const { id } of plan.runs()) planned.add(hashOf(id));
  const records = latestRecords(studyDir).filter(({ id }) => planned.has(hashOf(id)));
  const settled = new Set(
    rerun === undefined ? records.filter(isAgentsFailure).map(({ id }) => hashOf(id)) : [],
  );
  return {
    sinks: launchFiles(prepared, records),
    isMeant: (run) => isMeant(run) && !settled.has(hashOf(run.id)),
    settled: settled.size,
  };
}

interface LaunchPlace {
  studyDir: string;
  target: Target | undefined;
  plan: Plan;
  spec: { path: string };
  redactor: Redactor;
}

/** What keeps the files current that the target has beside the journal; none where it has none. */
export function launchFiles(place: LaunchPlace, records: readonly RunRecord[]): Sink[] {
  const { studyDir, target, plan, spec, redactor } = place;
  if (!target?.launchFiles) return [];
  const files = target.launchFiles({
    studyDir,
    config: shownPath(spec.path),
    name: plan.study.name,
    stamp: basename(studyDir),
    runs: numberRuns(plan, readNumbers(studyDir)),
    records,
    linkDir: linkFolder(studyDir),
    callerDir: process.cwd(),
    redactor,
  });
  return [files];
}

function isAgentsFailure({ outcome }: RunRecord): boolean {
  return isFailure(outcome) && outcome.owner === "agent";
}

function shownPath(path: string): string {
  const way = relative(process.cwd(), path);
  return way.startsWith("..") || isAbsolute(way) ? path : way;
}

/** The runs of a plan by their numbers: as the entries of the file stand, the runs of an entry together. */
export function numberRuns(plan: Plan, before: readonly string[] = []): Run[] {
  const place = placesOf(plan.study);
  const kept = new Map(before.map((id, i) => [hashOf(id), i]));
  const numbered = [...plan.runs()].map((run) => ({
    run,
    // A run that had a number keeps it, whatever became of the file since.
    kept: kept.get(hashOf(run.id)) ?? Number.POSITIVE_INFINITY,
    entry: place(run),
  }));
  numbered.sort((a, b) => order(a.kept, b.kept) || order(a.entry, b.entry) || a.run.seed - b.run.seed);
  return numbered.map(({ run }) => run);
}

/** Infinity minus Infinity is no order. */
function order(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/** The entry that asks for a run; those that no entry asks for stand behind, in the order of the plan. */
function placesOf({ numbering, axes }: Study): (run: Run) => number {
  if (!numbering) return () => 0;
  const { names, rows } = axes[0] ?? { names: [], rows: [[]] };
  const key = (task: string | null, values: unknown[]) => `${task} ${canonicalJson(values)}`;
  const places = new Map<string, { last: number; place: number }[]>();
  for (const [place, { task, row, first, count }] of numbering.entries()) {
    if (!rows[row]) continue;
    const slot = key(task, rows[row]);
    places.set(slot, [...(places.get(slot) ?? []), { last: first + count - 1, place }]);
  }
  return ({ task, params, seed }) => {
    const values = names.map((name) => params[name]);
    const found = places.get(key(task, values))?.find(({ last }) => seed <= last);
    return found?.place ?? Number.POSITIVE_INFINITY;
  };
}
