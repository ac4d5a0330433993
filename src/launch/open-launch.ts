import { readFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import { latestRecords } from "../archive/read-records.ts";
import { hashOf, isFailure, type Run, type RunRecord } from "../core/run.ts";
import type { Manifest } from "../sinks/rollouts/manifest.ts";
import { RolloutManifest } from "../sinks/rollouts/rollout-manifest.ts";
import type { Sink } from "../sinks/sink.ts";
import { numberRuns } from "./number-runs.ts";
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
  const { plan, spec, studyDir, redactor, isMeant = () => true } = prepared;
  const runs = numberRuns(plan, spec, runsBefore(studyDir));
  const planned = new Set(runs.map(({ id }) => hashOf(id)));
  const records = latestRecords(studyDir).filter(({ id }) => planned.has(hashOf(id)));
  const settled = new Set(
    rerun === undefined ? records.filter(isAgentsFailure).map(({ id }) => hashOf(id)) : [],
  );
  const manifest = new RolloutManifest({
    studyDir,
    config: shownPath(spec.path),
    name: prepared.study.name,
    stamp: basename(studyDir),
    runs,
    records,
    linkDir: linkFolder(studyDir),
    callerDir: process.cwd(),
    redactor,
  });
  return {
    sinks: [manifest],
    isMeant: (run) => isMeant(run) && !settled.has(hashOf(run.id)),
    settled: settled.size,
  };
}

/** The runs of a launch's manifest by their numbers; none where there is no manifest that can be read. */
export function runsBefore(studyDir: string): string[] {
  try {
    const { results } = JSON.parse(readFileSync(join(studyDir, "manifest.json"), "utf8")) as Manifest;
    return results.map(({ assay_run }) => assay_run);
  } catch {
    return [];
  }
}

/** `data/runs` beside `data/rollouts`; a root with another name gets no folder beside it. */
export function linkFolder(studyDir: string): string | undefined {
  const root = dirname(dirname(studyDir));
  return basename(root) === "rollouts" ? join(dirname(root), "runs") : undefined;
}

function isAgentsFailure({ outcome }: RunRecord): boolean {
  return isFailure(outcome) && outcome.owner === "agent";
}

export function shownPath(path: string): string {
  const way = relative(process.cwd(), path);
  return way.startsWith("..") || isAbsolute(way) ? path : way;
}
