import { closeSync, existsSync, readdirSync, readSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { errorText, reportDamage, UserError } from "../core/errors.ts";
import { type LateAttempt, parseLateAttempts } from "../core/late-attempt.ts";
import { addUsd } from "../core/number-text.ts";
import { brokenLinesText, JournalReader } from "../core/read-journal.ts";
import { hashOf, type RunRecord } from "../core/run.ts";
import { FORMAT, isStamp, STUDY_FILES, type StudyFile, studyFileProblem } from "../core/study-folder.ts";
import { suggestion } from "../core/suggest.ts";
import { PROGRAM_VERSION } from "../host/environment.ts";
import { appendText, openFile, readFolderText, readJsonIfAny } from "../host/files.ts";
import { containsRun } from "../plan/cells.ts";
import { folderRecords, hasOnlyFolders } from "./folder-study.ts";

const CHUNK_BYTES = 1 << 20;
const MOST_COUNTED_BYTES = 256 << 20;

/**
 * Hands over every record of a journal, oldest first; a run that was done again comes again. In a folder that another
 * tool wrote, what the runs' folders say.
 */
export function forEachRecord(studyDir: string, onRecord: (record: RunRecord) => void): void {
  const path = `${studyDir}/${STUDY_FILES.journal}`;
  if (hasOnlyFolders(studyDir)) for (const record of folderRecords(studyDir)) onRecord(record);
  if (!existsSync(path)) return;
  const reader = new JournalReader(onRecord);
  eachChunk(path, (bytes) => reader.push(bytes));
  const broken = brokenLinesText(shown(studyDir), reader.end());
  if (broken !== undefined) reportDamage(`${broken}. All other records are used.`);
}

/** How many lines a journal has, which takes a twentieth of reading them; null of one so large that it takes long all the same. */
export function countRecords(studyDir: string): number | null {
  const path = `${studyDir}/${STUDY_FILES.journal}`;
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MOST_COUNTED_BYTES) return null;
  let lines = 0;
  if (size > 0) eachChunk(path, (bytes) => (lines += linesIn(bytes)));
  return lines;
}

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++;
  return lines;
}

function eachChunk(path: string, take: (bytes: Uint8Array) => void): void {
  const file = openFile(path);
  try {
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let bytes = readSync(file, chunk); bytes > 0; bytes = readSync(file, chunk))
      take(chunk.subarray(0, bytes));
  } finally {
    closeSync(file);
  }
}

/** The newest record of each run, in the order in which the runs first ended. */
export function latestRecords(studyDir: string): RunRecord[] {
  const latest = new Map<string, RunRecord>();
  forEachRecord(studyDir, (record) => latest.set(hashOf(record.id), record));
  return [...latest.values()];
}

/**
 * study.json; undefined in a folder that another tool wrote, and where it is damaged, which is told: the records stand
 * for themselves. A folder of a later version is refused, since nobody knows what its records mean.
 */
export function readStudyFile(studyDir: string): StudyFile | undefined {
  const path = `${studyDir}/${STUDY_FILES.study}`;
  if (!existsSync(path)) return undefined;
  const file = readJsonIfAny<StudyFile>(path);
  const format = file?.format as unknown;
  if (typeof format === "number" && format > FORMAT)
    throw new UserError(`${shown(path)} has a format that this version can't read`, {
      expected: `at most ${FORMAT}`,
      got: String(format),
      remedy: `Assay ${writerOf(file) ?? "of a later version"} wrote it, this is ${PROGRAM_VERSION}: install the later one.`,
    });
  const problem = file === undefined ? "it is no JSON" : studyFileProblem(file);
  if (problem === undefined) return file;
  reportDamage(
    `${shown(path)} is damaged: ${problem}. The records are read without it; \`assay run\` writes it again.`,
  );
  return undefined;
}

/** Where a folder is one of many: one that can't be read is told, and passed over. */
export function readStudyFileIfAny(studyDir: string): StudyFile | undefined {
  try {
    return readStudyFile(studyDir);
  } catch (error) {
    reportDamage(errorText(error));
    return undefined;
  }
}

function writerOf(file: StudyFile | undefined): string | undefined {
  const version: unknown = file?.packages?.assay;
  return typeof version === "string" ? version : undefined;
}

function shown(path: string): string {
  return relative(process.cwd(), path);
}

/** Tries of a study, or of one of its runs, that came too late to be its result; most studies have none. */
export function readLateAttempts(studyDir: string, runId?: string): LateAttempt[] {
  const path = `${studyDir}/${STUDY_FILES.late}`;
  if (!existsSync(path)) return [];
  const all = parseLateAttempts(readFolderText(path));
  return runId === undefined ? all : all.filter(({ id }) => id === runId);
}

/** Keeps a try that became no record, for what it has cost. Reasons are left out: they may hold secrets. */
export function addLateAttempt(studyDir: string, record: RunRecord): void {
  const { id, attempt, outcome, metrics, startedAtMs, wallMs, costUsd = 0 } = record;
  const { status } = outcome;
  const worker = hostname();
  const late: LateAttempt = {
    id,
    attempt,
    worker,
    outcome: { status },
    metrics,
    startedAtMs,
    wallMs,
    costUsd,
  };
  appendText(`${studyDir}/${STUDY_FILES.late}`, `${JSON.stringify(late)}\n`);
}

/** What they have cost: a part of what the study has cost, which no record tells. */
export function lateCostUsd(studyDir: string): number {
  return readLateAttempts(studyDir).reduce((sum, { costUsd }) => addUsd(sum, costUsd ?? 0), 0);
}

/** The runs of a launch by their numbers; none where there is no manifest that can be read. */
export function readNumbers(studyDir: string): string[] {
  const manifest = readJsonIfAny<{ results?: { assay_run: string }[] }>(join(studyDir, STUDY_FILES.manifest));
  return manifest?.results?.map(({ assay_run }) => assay_run) ?? [];
}

/** `data/runs` beside `data/rollouts`; a root with another name gets no folder beside it. */
export function linkFolder(studyDir: string): string | undefined {
  const root = dirname(dirname(studyDir));
  return basename(root) === "rollouts" ? join(dirname(root), "runs") : undefined;
}

/** Whether a record is of the study as it was last launched: of its parameters, by the newest program. */
export function isCurrent({ study, program }: StudyFile): (record: RunRecord) => boolean {
  const contains = containsRun(study);
  return (record) => record.program === program && contains(record);
}

/** The newest record of each run that the study has now; all of them where study.json is lost. */
export function currentRecords(studyDir: string): RunRecord[] {
  const study = readStudyFile(studyDir);
  const records = latestRecords(studyDir);
  return study ? records.filter(isCurrent(study)) : records;
}

/** Where studies are looked for: the second one has those whose launches are kept apart. */
const DEFAULT_ROOTS = ["bench_runs", "data/rollouts"];

/** The folder of a study, from its path or from its name below the results' root; of several launches the newest. */
export function findStudy(named: string, root?: string): string {
  const found = findStudyIfAny(named, root);
  if (found !== undefined) return found;
  if (existsSync(named) && statSync(named).isDirectory()) {
    throw new UserError(`${named} holds no results`, {
      expected: "a study's folder, with journal.jsonl or runs/ in it",
      got: readdirSync(named).slice(0, 5).join(", ") || "an empty folder",
    });
  }
  const place = join(rootsOf(root)[0]!, named);
  throw new UserError(`there is no study "${named}" (looked for ${named} and ${place})`, {
    remedy: nearOnes(named, root),
  });
}

/** The same where a word may mean something else. */
export function findStudyIfAny(named: string, root?: string): string | undefined {
  for (const candidate of [named, ...rootsOf(root).map((folder) => join(folder, named))]) {
    const found = isStudy(candidate) ? resolve(candidate) : namedLaunch(candidate);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `NAME` and `NAME/latest` are the newest launch of a study, `NAME/previous` is the one before. */
function namedLaunch(path: string): string | undefined {
  const word = basename(path);
  if (word !== "latest" && word !== "previous") return launchesOf(path).at(-1);
  return launchesOf(dirname(path)).at(word === "latest" ? -1 : -2);
}

/** All studies below a folder, each with its newest launch. */
export function listStudies(root?: string): string[] {
  return rootsOf(root).flatMap((folder) =>
    namesIn(folder).flatMap((name) => {
      const dir = resolve(folder, name);
      return isStudy(dir) ? [dir] : launchesOf(dir).slice(-1);
    }),
  );
}

/** The launches of a study whose launches are kept apart, oldest first; none for any other folder. */
export function launchesOf(dir: string): string[] {
  return namesIn(dir)
    .filter(isStamp)
    .sort()
    .map((stamp) => resolve(dir, stamp))
    .filter(isStudy);
}

export function isStudy(path: string): boolean {
  return (
    existsSync(join(path, STUDY_FILES.journal)) ||
    existsSync(join(path, STUDY_FILES.study)) ||
    // Beside data/rollouts, data/runs has links to the runs of all launches.
    (existsSync(join(path, STUDY_FILES.runs)) && !existsSync(join(path, "rollouts")))
  );
}

function nearOnes(named: string, root: string | undefined): string {
  const parents = named.includes("/")
    ? [dirname(named), ...rootsOf(root).map((folder) => join(folder, dirname(named)))]
    : rootsOf(root);
  const known = parents.flatMap((parent) =>
    namesIn(parent).filter((name) => {
      const dir = join(parent, name);
      return isStudy(dir) || launchesOf(dir).length > 0;
    }),
  );
  return known.length > 0 ? suggestion(basename(named), known) : "`assay run FILE` makes one.";
}

function rootsOf(root: string | undefined): string[] {
  return root === undefined ? DEFAULT_ROOTS : [root];
}

function namesIn(dir: string): string[] {
  return existsSync(dir) && statSync(dir).isDirectory() ? readdirSync(dir) : [];
}
