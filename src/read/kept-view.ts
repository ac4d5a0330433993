import { createHash } from "node:crypto";
import { closeSync, existsSync, fstatSync, readSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readStudyFile } from "../archive/read-records.ts";
import { STUDY_FILES, titleOf } from "../core/study-folder.ts";
import { PROGRAM_VERSION } from "../host/environment.ts";
import { openFile, readJsonIfAny, readText, replaceFile } from "../host/files.ts";
import type { StudyView } from "../reporters/study-view.ts";
import { readLooks } from "./past.ts";
import { type ReadStudy, readStudy, viewStudy } from "./view-study.ts";

/** From so many runs on, working a view out takes long enough to keep it. */
const MANY_RUNS = 2000;
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
  // The state before the reading: runs that end meanwhile make the view an old one.
  const marks = marksOf(studyDir);
  const view = await viewStudy(await read(), { id });
  if (endedIn(view) >= MANY_RUNS)
    keep(studyDir, { sum: sumOf(view), stamp: stampFrom(marks, view), plan: planOf(studyDir), view });
  return view;
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
