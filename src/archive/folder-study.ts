import { existsSync, readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { canonicalJson } from "../core/hash.ts";
import type { Params, Value } from "../core/params.ts";
import {
  failed,
  type Metrics,
  OK,
  type Outcome,
  OWNERS,
  type Owner,
  type RunRecord,
  STATUSES,
  type Status,
} from "../core/run.ts";
import { type Axis, type Study, USUAL_LIMITS, type Variant } from "../core/study.ts";
import { FORMAT, runDir, STUDY_FILES, type StudyFile } from "../core/study-folder.ts";
import { type FolderRun, readRunFolder } from "./read-folder.ts";

/** Whose runs nobody but their folders tell of. */
const FOLDER_PROGRAM = "folders@1";

/** Whether another tool wrote the runs, or journal and study.json are lost: only the runs' own folders tell of them. */
export function hasOnlyFolders(studyDir: string): boolean {
  return (
    !existsSync(`${studyDir}/${STUDY_FILES.journal}`) &&
    !existsSync(`${studyDir}/${STUDY_FILES.study}`) &&
    existsSync(`${studyDir}/${STUDY_FILES.runs}`)
  );
}

/** Names with a dot in front are not runs: what a crash left of a folder that was being set aside. */
export function runFolders(studyDir: string): string[] {
  return readdirSync(`${studyDir}/${STUDY_FILES.runs}`)
    .filter((name) => !name.startsWith("."))
    .sort();
}

/** A record for each run that has ended, from its folder alone. */
export function folderRecords(studyDir: string): RunRecord[] {
  return runFolders(studyDir).flatMap((name) => {
    const run = readRunFolder(runDir(studyDir, name));
    const outcome = run && outcomeOf(run.meta);
    return outcome ? [recordOf(run, outcome)] : [];
  });
}

function recordOf({ meta, seed, params, metrics }: FolderRun, outcome: Outcome): RunRecord {
  const { run_id, ablation_name, ablation_flags = [], task, repeat } = meta;
  return {
    id: run_id,
    params: params as Params,
    variant: ablation_name || "baseline",
    flags: ablation_flags,
    seed: typeof seed === "number" ? seed : 0,
    task: typeof task === "string" ? task : null,
    repeat: numberOf(repeat),
    program: FOLDER_PROGRAM,
    attempt: 1,
    outcome,
    metrics: Object.fromEntries(Object.entries(metrics).filter(isMetric)) as Metrics,
    startedAtMs: numberOf(meta.start_time_unix_s) * 1000,
    wallMs: numberOf(meta.wall_time_s) * 1000,
  };
}

/** Undefined for a run that has not ended: its tool writes meta.json when it starts, too. */
function outcomeOf({ status, owner, reason, exit_code }: FolderRun["meta"]): Outcome | undefined {
  if (STATUSES.includes(status as Status))
    return {
      status: status as Status,
      ...(OWNERS.includes(owner as Owner) && { owner: owner as Owner }),
      ...(typeof reason === "string" && { reason }),
      ...(typeof exit_code === "number" && { exitCode: exit_code }),
    };
  if (typeof exit_code !== "number") return undefined;
  return exit_code === 0 ? OK : failed("agent", `exit ${exit_code}`, exit_code);
}

function numberOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

function isMetric(entry: [string, unknown]): boolean {
  return entry[1] === null || typeof entry[1] === "number";
}

/** What study.json would say of such runs: they differ in their parameters, variants and seeds. */
export function folderStudy(studyDir: string, records: readonly RunRecord[]): StudyFile {
  const name = basename(studyDir);
  const tasks = [...new Set(records.flatMap(({ task }) => (task === null ? [] : [task])))].sort();
  const names = [...new Set(records.flatMap(({ params }) => Object.keys(params)))];
  const axes = names.map((key) => axisOf(key, records));
  const study: Study = {
    name,
    target: { kind: "command", argv: [], cwd: studyDir, watch: [] },
    params: Object.fromEntries(
      axes.filter(({ rows }) => rows.length === 1).map(({ names: [key], rows }) => [key!, rows[0]![0]!]),
    ),
    axes: axes.filter(({ rows }) => rows.length > 1),
    variants: variantsOf(records),
    seeds: [...new Set(records.map(({ seed }) => seed))].sort((a, b) => a - b),
    ...(tasks.length > 0 && { tasks }),
    repeats: { warmup: 0, measured: 1 + Math.max(0, ...records.map(({ repeat }) => repeat)) },
    iterations: { warmup: 0, measured: 1 },
    instruments: [],
    limits: USUAL_LIMITS,
    executor: { kind: "", jobs: 1 },
    artifacts: "all",
    analysis: {},
    outRoot: dirname(studyDir),
    env: {},
  };
  return {
    format: FORMAT,
    ...{ name, program: FOLDER_PROGRAM, study, total: runFolders(studyDir).length },
    spec: { path: studyDir, dialect: "folders", hash: "", text: "" },
    ...{ environment: {}, packages: {}, git: null, launches: [] },
  };
}

function axisOf(name: string, records: readonly RunRecord[]): Axis {
  const values = new Map<string, Value>();
  for (const { params } of records)
    if (params[name] !== undefined) values.set(canonicalJson(params[name]), params[name]);
  const sorted = [...values.values()].sort((a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b : String(a) < String(b) ? -1 : 1,
  );
  return { names: [name], rows: sorted.map((value) => [value]) };
}

function variantsOf(records: readonly RunRecord[]): Variant[] {
  const variants = new Map(records.map(({ variant, flags }) => [variant, flags]));
  return [...variants].map(([name, flags]) => ({ name, params: {}, flags }));
}
