import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { CodeState, PastRun, PointKind } from "../analysis/history/history.ts";
import { forEachRecord, isStudy, readStudyFile, readStudyFileIfAny } from "../archive/read-records.ts";
import { isResult } from "../archive/read-result.ts";
import { UserError } from "../core/errors.ts";
import { hashText, shortHash } from "../core/hash.ts";
import type { ResultFile } from "../core/result-file.ts";
import type { Metrics, RunRecord } from "../core/run.ts";
import type { TargetRef } from "../core/study.ts";
import { type Launch, machineOf, type StudyFile } from "../core/study-folder.ts";
import { nearest } from "../core/suggest.ts";
import { readJson } from "../host/files.ts";
import { iterationsOf } from "../plan/identify.ts";

const DEFAULT_ROOT = "bench_runs";
/** How far below the results' root studies are looked for: `experiments:` nest one. */
const DEPTH = 3;

export interface HistorySources {
  runs: PastRun[];
  /** The newest study among them, which knows the metric that matters. */
  study: StudyFile | undefined;
}

/**
 * All runs of what is named: a study (with the folders that --fresh moved aside), a target (in all studies below the
 * results' root), a folder of studies, or result.json files.
 */
export function historySources(
  names: readonly string[],
  { outRoot = DEFAULT_ROOT, kind }: { outRoot?: string; kind: PointKind },
): HistorySources {
  const dirs = new Set<string>();
  const found = new Map<string, PastRun>();
  const keep = (run: PastRun) => found.set(`${run.record.id} ${run.record.startedAtMs}`, run);
  for (const name of names) {
    if (name.endsWith(".json")) keep(resultRun(name, kind));
    else for (const dir of foldersOf(name, outRoot)) dirs.add(dir);
  }
  let study: StudyFile | undefined;
  for (const dir of dirs) {
    const file = readStudyFile(dir);
    if (!file) continue;
    if (!study || lastLaunch(file) > lastLaunch(study)) study = file;
    for (const run of studyRuns(dir, file, kind)) keep(run);
  }
  return { runs: [...found.values()], study };
}

function foldersOf(name: string, outRoot: string): string[] {
  for (const candidate of [name, join(outRoot, name)]) {
    if (isStudy(candidate)) return withEarlier(resolve(candidate));
    if (existsSync(candidate) && statSync(candidate).isDirectory()) {
      const below = studiesBelow(candidate);
      if (below.length > 0) return below;
    }
  }
  const all = studiesBelow(outRoot).map((dir) => ({ dir, file: readStudyFileIfAny(dir) }));
  const ofTarget = all.filter(({ file }) => file && targetName(file.study.target) === name);
  if (ofTarget.length > 0) return ofTarget.map(({ dir }) => dir);
  const targets = all.flatMap(({ file }) => (file ? [targetName(file.study.target)] : []));
  const known = [...new Set([...targets, ...all.map(({ dir }) => basename(dir).split("@")[0]!)])];
  const near = nearest(name, known);
  throw new UserError(`there is no study, target or file "${name}"`, {
    remedy: [
      near.length > 0 ? `Did you mean ${near.map((word) => `"${word}"`).join(" or ")}?` : "",
      `Looked in ${all.length === 1 ? "1 study" : `${all.length} studies`} below ${outRoot}.`,
      all.length === 0 ? "`assay run FILE` makes one; --out-root names another folder." : "",
    ]
      .filter(Boolean)
      .join(" "),
  });
}

/** A study's folder, and those that `--fresh` moved aside. */
function withEarlier(dir: string): string[] {
  const name = basename(dir);
  const earlier = readdirSync(dirname(dir)).filter((other) => other.startsWith(`${name}@`));
  return [...earlier.map((other) => join(dirname(dir), other)).filter(isStudy), dir];
}

function studiesBelow(root: string, depth = DEPTH): string[] {
  if (!existsSync(root) || depth === 0) return [];
  if (isStudy(root)) return [resolve(root)];
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .flatMap((entry) => studiesBelow(join(root, entry.name), depth - 1));
}

function lastLaunch({ launches }: StudyFile): string {
  return launches.at(-1)?.at ?? "";
}

/** Every record of a study's journal, those of older programs and runs that were done again included. */
function studyRuns(dir: string, { study, launches, environment }: StudyFile, kind: PointKind): PastRun[] {
  const target = targetName(study.target);
  const starts = launches.map((launch) => ({ launch, atMs: Date.parse(launch.at) }));
  const runs: PastRun[] = [];
  // What older versions wrote has the machine of the last launch alone.
  const machineAt = (launch: Launch | undefined) => {
    const machine = launch?.machine ?? (launch === launches.at(-1) ? machineOf(environment) : undefined);
    return machine && { machine };
  };
  forEachRecord(dir, (record) => {
    const { program } = record;
    const launch = launchOf(record, starts);
    runs.push({
      ...{ target, record },
      state:
        kind === "launch" && launch
          ? { ...launchState(launch, dir), ...machineAt(launch) }
          : { ...stateOf(launch?.git ? { ...launch.git } : null, program), ...machineAt(launch) },
      iterations: iterationsOf(program),
    });
  });
  return runs;
}

/** The run of one result.json. */
function resultRun(path: string, kind: PointKind): PastRun {
  const content = readJson(path);
  if (!isResult(content) || !("program" in content))
    throw new UserError(path, { expected: "a run's result.json", got: "other JSON" });
  const result = content as unknown as ResultFile;
  const { vcs, metrics: summaries, target, seed, task, repeat, variant, program } = result;
  const metrics: Metrics = {};
  for (const [name, summary] of Object.entries(summaries)) {
    // The journal has milliseconds.
    const [key, factor] = name === "duration_s" ? ["duration_ms", 1000] : [name, 1];
    metrics[key] = summary === null ? null : summary.mean * factor;
    if (summary === null || typeof summary.sd !== "number" || summary.sd === 0) continue;
    for (const word of ["min", "p05", "p25", "p50", "p95", "sd"] as const)
      if (typeof summary[word] === "number") metrics[`${key}_${word}`] = summary[word] * factor;
    metrics[`${key}_n`] = summary.n;
  }
  const changes = vcs && vcs.diff_hash !== hashText("") ? vcs.diff_hash : null;
  const git = vcs && { commit: vcs.commit, committedAt: vcs.committed_at, changes };
  const startedAtMs = Date.parse(result.started_at);
  const { hostname, processor: cpu, cores, os, runtime, python } = result.environment;
  const node = /v\d[\d.]*/.exec(String(runtime))?.[0];
  const state = {
    ...stateOf(git, program),
    machine: machineOf({ hostname, cpu, cores, os, node, python: versionIn(python) }),
  };
  const status = result.status as RunRecord["outcome"]["status"];
  return {
    target: /\.[cm]?[jt]s$/.test(target) ? stem(target) : target,
    state: kind === "launch" ? { ...state, key: path, committedAtMs: null } : state,
    record: {
      ...{ id: result.run_id, params: result.parameters, variant, flags: [], seed, task, repeat, program },
      ...{ attempt: 1, outcome: { status }, metrics, startedAtMs, wallMs: result.wall_s * 1000 },
    },
    iterations: result.iterations.measured,
  };
}

/** Of a run in Python, its result says which one that was. */
function versionIn(python: unknown): unknown {
  return typeof python === "object" && python !== null && "version" in python ? python.version : undefined;
}

/** What a target is called in a history: the same wherever its file lies. */
function targetName(target: TargetRef): string {
  if (target.kind === "shipped") return target.name;
  return target.kind === "file" ? stem(target.path) : target.argv.map(stem).join(" ");
}

/** The newest launch of the record's program that had begun when the run did. */
function launchOf(
  { program, startedAtMs }: RunRecord,
  starts: readonly { launch: Launch; atMs: number }[],
): Launch | undefined {
  const own = starts.filter(({ launch }) => launch.program === program);
  return (own.findLast(({ atMs }) => atMs <= startedAtMs) ?? own[0])?.launch;
}

function stateOf(git: Launch["git"], program: string): CodeState {
  if (!git) {
    const label = shortHash(program).slice(0, 7);
    return { key: program, label, commit: null, committedAtMs: null };
  }
  const { commit, committedAt, changes } = git;
  const atMs = Date.parse(committedAt ?? "");
  return {
    key: `${commit} ${changes ?? ""}`,
    label: `${commit.slice(0, 7)}${changes === null ? "" : "+changes"}`,
    commit,
    committedAtMs: Number.isNaN(atMs) ? null : atMs,
  };
}

function launchState({ at, git, program }: Launch, dir: string): CodeState {
  const { label, commit } = stateOf(git, program);
  return { key: `${dir} ${at}`, label, commit, committedAtMs: null };
}

function stem(path: string): string {
  return path
    .split("/")
    .at(-1)!
    .replace(/\.[cm]?[jt]s$/, "");
}
