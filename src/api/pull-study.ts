import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { readStudyFile } from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import { parseRecord } from "../core/read-journal.ts";
import { hashOf } from "../core/run.ts";
import { isStamp, RUN_FILES, STUDY_FILES } from "../core/study-folder.ts";
import { suggestion } from "../core/suggest.ts";
import type { Warning } from "../core/warning.ts";
import type { Depot } from "../depots/depot.ts";
import { Fetcher } from "../depots/fetcher.ts";
import { mergeJournals, mergeLines, mergeStudyFiles } from "../depots/merge.ts";
import { bundleFolder, type Push, readPushes, studiesIn } from "../depots/push.ts";
import { sumFolder } from "../fleet/files/folder-route.ts";
import { safePath } from "../fleet/safe-path.ts";
import { replaceFile } from "../host/files.ts";
import { Lock } from "../host/lock.ts";
import { makeFolder } from "../launch/launch-folder.ts";
import { severalAtOnce, type Transfer } from "./push-study.ts";

export interface PullRequest {
  outRoot?: string;
  /** Folders of runs, too; without, only records. */
  hasFiles: boolean;
  onProgress?: (progress: Transfer) => void;
  signal?: AbortSignal;
}

export interface PullSummary {
  study: string;
  studyDir: string;
  /** Of how many pushes it was merged. */
  pushes: number;
  /** Runs with a record now, and how many lines of the journal are new. */
  runs: number;
  added: number;
  /** Folders that were fetched, and that were here already. */
  fetched: number;
  known: number;
  warnings: Warning[];
}

/** Below the study's folder, while a pull is under way: what has not been checked yet. */
const ARRIVING = ".pull";

/** Merges everything that was pushed of a study into the folder here, which may be new. */
export async function pullStudy(
  title: string,
  depot: Depot,
  { outRoot, hasFiles, onProgress, signal }: PullRequest,
): Promise<PullSummary> {
  const pushes = (await readPushes(depot, title)).map(({ push }) => push);
  if (pushes.length === 0) {
    const known = await studiesIn(depot);
    throw new UserError(`${depot.label} has no study "${title}"`, {
      remedy: known.length > 0 ? suggestion(title, known) : "`assay push STUDY PLACE` sends one there.",
    });
  }
  const studyDir = folderFor(title, outRoot);
  makeFolder(studyDir);
  const lock = await Lock.take(studyDir);
  const arriving = join(studyDir, ARRIVING);
  try {
    rmSync(arriving, { recursive: true, force: true });
    mkdirSync(arriving);
    const fetcher = new Fetcher(depot, { folder: bundleFolder(title), arriving, signal });
    const ours = linesOf(join(studyDir, STUDY_FILES.journal));
    const read = [];
    for (const push of pushes) read.push(await readRecords(push, fetcher));
    const merged = read.reduce((all, { journal }) => mergeJournals(all, journal), ours);
    refuseReordering(studyDir, ours, merged);
    const wanted = hasFiles ? wantedFolders({ pushes, read, ours, merged }) : [];
    const total = wanted.length;
    const tell = (done: number) => onProgress?.({ done, total, bytes: fetcher.bytes });
    let done = 0;
    let fetched = 0;
    tell(0);
    await severalAtOnce(wanted, async (folder) => {
      signal?.throwIfAborted();
      if (await placeFolder(folder, { studyDir, fetcher })) fetched++;
      tell(++done);
    });
    signal?.throwIfAborted();
    const warnings = writeRecords(studyDir, read, merged);
    return {
      ...{ study: title, studyDir, pushes: pushes.length, runs: countRuns(merged) },
      ...{ added: merged.length - ours.length, fetched, known: total - fetched, warnings },
    };
  } finally {
    rmSync(arriving, { recursive: true, force: true });
    lock.release();
  }
}

/** The points of a search know how much of the journal was there when they were proposed. */
function refuseReordering(studyDir: string, ours: readonly string[], merged: readonly string[]): void {
  const isSearch = existsSync(join(studyDir, STUDY_FILES.ledger));
  if (isSearch && ours.some((line, i) => line !== merged[i]))
    throw new UserError(`${studyDir} is a search, and another machine did some of its runs as well`, {
      remedy: "Pull it into another folder with --out-root; workers of one search share one folder.",
    });
}

/** As `assay run` would place it: launches that are kept apart lie below data/rollouts. */
function folderFor(title: string, outRoot: string | undefined): string {
  const root = outRoot ?? (isStamp(title.split("/")[1] ?? "") ? "data/rollouts" : "bench_runs");
  try {
    return safePath(root, title);
  } catch {
    throw new UserError(`"${title}" is no name of a study`);
  }
}

interface PulledRecords {
  /** A folder with study.json, notes and the like. */
  dir: string;
  journal: string[];
}

async function readRecords(push: Push, fetcher: Fetcher): Promise<PulledRecords> {
  const parts: string[] = [];
  for (const bundle of push.journal) {
    const dir = await fetcher.fetch(bundle);
    parts.push(readFileSync(`${dir}/${STUDY_FILES.journal}`, "utf8"));
  }
  return { dir: await fetcher.fetch(push.records), journal: splitLines(parts.join("")) };
}

interface WantedFolder {
  path: string;
  bundle: string;
  /** What is here is of another try, which doesn't count any more. */
  replaces: boolean;
}

/** Of each run the folder that belongs to its result; of what is no run's, the newest. */
function wantedFolders({
  pushes,
  read,
  ours,
  merged,
}: {
  pushes: readonly Push[];
  read: readonly PulledRecords[];
  ours: readonly string[];
  merged: readonly string[];
}): WantedFolder[] {
  const results = lastLines(merged);
  const own = lastLines(ours);
  const wanted = new Map<string, WantedFolder>();
  for (const [i, { files = {} }] of pushes.entries()) {
    const theirs = lastLines(read[i]!.journal);
    for (const [path, { bundle }] of Object.entries(files)) {
      const run = runOf(path);
      if (run === undefined) wanted.set(path, { path, bundle, replaces: false });
      else if (results.get(run) === theirs.get(run))
        wanted.set(path, { path, bundle, replaces: own.get(run) !== results.get(run) });
    }
  }
  return [...wanted.values()];
}

/** The run whose folder a path is, of the run itself or of a scorer. */
function runOf(path: string): string | undefined {
  const parts = path.split("/");
  return parts.at(-2) === STUDY_FILES.runs ? hashOf(parts.at(-1)!) : undefined;
}

/** Whether it had to be fetched. What another try left here is kept among the earlier ones. */
async function placeFolder(
  { path, bundle, replaces }: WantedFolder,
  { studyDir, fetcher }: { studyDir: string; fetcher: Fetcher },
): Promise<boolean> {
  const [top] = path.split("/");
  const allowed: readonly string[] = [
    STUDY_FILES.runs,
    STUDY_FILES.scores,
    STUDY_FILES.services,
    STUDY_FILES.taskResults,
  ];
  if (!allowed.includes(top!)) throw new UserError(`a push names ${path}, which is no folder of runs`);
  const target = safePath(studyDir, path);
  const isHere = existsSync(target);
  if (isHere && (!replaces || (await sumFolder(target)).sha256 === bundle)) return false;
  const arrived = await fetcher.fetch(bundle);
  mkdirSync(dirname(target), { recursive: true });
  if (!isHere) renameSync(arrived, target);
  else {
    const aside = `${arrived}.aside`;
    renameSync(target, aside);
    renameSync(arrived, target);
    const earlier = join(target, RUN_FILES.earlier);
    mkdirSync(earlier, { recursive: true });
    renameSync(aside, join(earlier, freeNumber(earlier)));
  }
  return true;
}

function freeNumber(dir: string): string {
  const taken = readdirSync(dir).map(Number).filter(Number.isInteger);
  return String(Math.max(0, ...taken) + 1);
}

/** The journal last of all: until then, the same command begins where it was. Gives what people should know. */
function writeRecords(
  studyDir: string,
  read: readonly PulledRecords[],
  merged: readonly string[],
): Warning[] {
  const warnings: Warning[] = [];
  const warn = (kind: string, text: string) => warnings.push({ kind, level: "warn", text });
  const names = new Set(read.flatMap(({ dir }) => readdirSync(dir)));
  for (const name of names) {
    const path = safePath(studyDir, name);
    const sources = read.map(({ dir }) => `${dir}/${name}`).filter((source) => existsSync(source));
    if (name === STUDY_FILES.study) continue;
    if (name.endsWith(".jsonl")) {
      const before = linesOf(path);
      const all = sources.reduce((lines, source) => mergeLines(lines, linesOf(source)), before);
      if (all.length > before.length) replaceFile(path, `${all.join("\n")}\n`);
    } else if (!existsSync(path)) replaceFile(path, readFileSync(sources.at(-1)!));
    else if (name === STUDY_FILES.plan && sources.some((source) => !isSameFile(source, path)))
      warn("other-lock", "somebody locked another plan for this study; the one here stays");
  }
  const files = [studyDir, ...read.map(({ dir }) => dir)]
    .map((dir) => readStudyFile(dir))
    .filter((file) => file !== undefined);
  const study = mergeStudyFiles(files);
  if (study) {
    const isOther = files.some((file) => file.launches.at(-1)?.plan !== study.launches.at(-1)?.plan);
    if (isOther)
      warn(
        "other-plan",
        "these were launched with other parameters, seeds or tasks: the newest launch says which runs count now, `assay run` with your file says it anew",
      );
    replaceFile(join(studyDir, STUDY_FILES.study), `${JSON.stringify(study, null, 2)}\n`);
  }
  const path = join(studyDir, STUDY_FILES.journal);
  const before = linesOf(path);
  if (merged.length > before.length || !existsSync(path))
    replaceFile(path, merged.map((line) => `${line}\n`).join(""));
  return warnings;
}

function isSameFile(a: string, b: string): boolean {
  return readFileSync(a).equals(readFileSync(b));
}

function linesOf(path: string): string[] {
  return existsSync(path) ? splitLines(readFileSync(path, "utf8")) : [];
}

/** Whole lines: what a crash tore at the end is none. */
function splitLines(content: string): string[] {
  return content
    .slice(0, content.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "");
}

function lastLines(lines: readonly string[]): Map<string, string> {
  const last = new Map<string, string>();
  for (const line of lines) {
    const record = parseRecord(line);
    if (!("problem" in record)) last.set(hashOf(record.id), line);
  }
  return last;
}

function countRuns(lines: readonly string[]): number {
  return lastLines(lines).size;
}
