import { basename, isAbsolute, relative } from "node:path";
import { linkFolder, readNumbers } from "../archive/read-manifest.ts";
import { latestRecords } from "../archive/read-records.ts";
import { canonicalJson } from "../core/hash.ts";
import type { Redactor } from "../core/redact.ts";
import { hashOf, isFailure, type Run, type RunRecord } from "../core/run.ts";
import type { Sink } from "../core/sink.ts";
import type { Study } from "../core/study.ts";
import type { Plan } from "../plan/plan.ts";
import type { Target } from "../targets/target.ts";
import type { PreparedStudy } from "./prepare-study.ts";

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
