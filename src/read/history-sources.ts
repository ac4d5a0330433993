import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { PastRun, PointKind } from "../analysis/history/history.ts";
import { isStudy, readStudyFile, readStudyFileIfAny } from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import type { StudyFile } from "../core/study-folder.ts";
import { nearest } from "../core/suggest.ts";
import { resultRun, studyRuns, targetName } from "./history-runs.ts";

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
