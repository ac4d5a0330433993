import { createHash } from "node:crypto";
import { closeSync, existsSync, fstatSync, readSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { readStudyFile } from "../archive/read-records.ts";
import { KEPT_FROM_RUNS, STUDY_FILES, titleOf } from "../core/study-folder.ts";
import { PROGRAM_VERSION } from "../host/environment.ts";
import { openFile, readJsonIfAny, readText, replaceFile } from "../host/files.ts";
import type { StudyView } from "../reporters/study-view.ts";
import { readLooks } from "./past.ts";
import { type ReadStudy, readStudy, viewStudy } from "./view-study.ts";

/** More of them at once would take gigabytes: a reader who wants them asks for them. */
const MOST_PREPARED = 200_000;
const CHUNK_BYTES = 1 << 20;

/** view.json: what the page showed last, and what that was made from. */
interface Kept {
  /** Of the view itself: half a file, or somebody else's, is none. */
  sum: string;
  stamp: string;
  /** Which runs the study has then. */
  plan: string | null;
  view: StudyView;
}

interface Options {
  id?: string;
  read?: () => Promise<ReadStudy>;
}

/** What the page shows of a study; of very many runs as it was kept in the study's folder, where nothing has changed since. */
export async function keptView(studyDir: string, options: Options = {}): Promise<StudyView> {
  const { id = "", read = () => readStudy(studyDir) } = options;
  const before = readKept(studyDir);
  if (before && before.stamp === stampOf(studyDir, before.view)) return { ...before.view, id };
  const keep = viewKeeper(studyDir);
  const view = await viewStudy(forSharing(await read()), { id });
  keep(view);
  return view;
}

/**
 * What keeps a view of very many runs in the study's folder. It is made before the study is read: runs that end meanwhile
 * make the view an old one.
 */
export function viewKeeper(studyDir: string): (view: StudyView) => void {
  const marks = marksOf(studyDir);
  const plan = planOf(studyDir);
  return (view) => {
    if (endedIn(view) >= KEPT_FROM_RUNS)
      keep(studyDir, { sum: sumOf(view), stamp: stampFrom(marks, view), plan, view });
  };
}

/**
 * A study as the page shows it: people send reports around, and where somebody's home lies is nobody's business. The
 * study file is named from where the results' folder stands, or by its name alone where it lies elsewhere.
 */
export function forSharing(read: ReadStudy): ReadStudy {
  const { spec } = read.study;
  return { ...read, study: { ...read.study, spec: { ...spec, path: sharedPath(read.studyDir, spec.path) } } };
}

function sharedPath(studyDir: string, path: string): string {
  if (!isAbsolute(path)) return path;
  const home = dirname(dirname(studyDir));
  const from = relative(home, path);
  return home === "/" || from.startsWith("..") || isAbsolute(from) ? basename(path) : from;
}

/** Makes the page of very many runs open at once: for whoever brought them here, which takes longer than this. */
export async function prepareView(studyDir: string, runs: number): Promise<void> {
  if (runs < KEPT_FROM_RUNS || runs > MOST_PREPARED) return;
  // Where it can't be worked out, the page says why to whoever opens it.
  await keptView(studyDir).catch(() => {});
}

/** What the page showed last of the runs that the study has, even if more have ended since; undefined where nothing was kept. */
export function viewBefore(studyDir: string): StudyView | undefined {
  const kept = readKept(studyDir);
  return kept && kept.plan === planOf(studyDir) ? kept.view : undefined;
}

function readKept(studyDir: string): Kept | undefined {
  const path = `${studyDir}/${STUDY_FILES.view}`;
  const kept = existsSync(path) ? readJsonIfAny<Kept>(path) : undefined;
  return kept && kept.sum === sumOf(kept.view) ? kept : undefined;
}

function sumOf(view: StudyView): string {
  return hash(JSON.stringify(view) ?? "");
}

function keep(studyDir: string, kept: Kept): void {
  try {
    replaceFile(`${studyDir}/${STUDY_FILES.view}`, JSON.stringify(kept), { isDurable: false });
  } catch {
    // The folder may be read-only, or somebody else's: then the view is worked out each time.
  }
}

function planOf(studyDir: string): string | null {
  return readStudyFile(studyDir)?.launches.at(-1)?.plan ?? null;
}

function endedIn({ counts: { ok, stopped, failed, cancelled } }: StudyView): number {
  return ok + stopped + failed + cancelled;
}

interface Marks {
  files: string;
  looks: { runs: number; asked?: string | undefined }[];
}

function stampOf(studyDir: string, view: StudyView): string {
  return stampFrom(marksOf(studyDir), view);
}

/** Whoever sees a view has looked at its number of runs, which tells that view nothing new. */
function stampFrom({ files, looks }: Marks, view: StudyView): string {
  const others = looks.filter(({ runs, asked }) => asked !== undefined || runs !== endedIn(view));
  return hash(JSON.stringify([files, others.map(({ runs, asked }) => [runs, asked])]));
}

/** All that a view is made from, and what made it. The journal is hashed whole: that takes a fraction of reading it. */
function marksOf(studyDir: string): Marks {
  const { mtimeMs } = statSync(fileURLToPath(import.meta.url));
  const texts = [STUDY_FILES.study, STUDY_FILES.plan].map((name) => textOf(`${studyDir}/${name}`));
  const journal = hashOfFile(`${studyDir}/${STUDY_FILES.journal}`);
  return {
    files: hash(JSON.stringify([PROGRAM_VERSION, mtimeMs, titleOf(studyDir), ...texts, journal])),
    looks: [...readLooks(studyDir)],
  };
}

function textOf(path: string): string | null {
  return existsSync(path) ? readText(path) : null;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hashOfFile(path: string): string | null {
  if (!existsSync(path)) return null;
  const file = openFile(path);
  try {
    const sum = createHash("sha256");
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    // As far as the file went at first: what is appended meanwhile belongs to the next view.
    let left = fstatSync(file).size;
    while (left > 0) {
      const bytes = readSync(file, chunk, 0, Math.min(left, CHUNK_BYTES), null);
      if (bytes === 0) break;
      sum.update(chunk.subarray(0, bytes));
      left -= bytes;
    }
    return sum.digest("hex");
  } finally {
    closeSync(file);
  }
}
