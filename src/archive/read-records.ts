import { closeSync, existsSync, readSync } from "node:fs";
import { relative } from "node:path";
import { errorText, UserError } from "../core/errors.ts";
import { brokenLinesText, JournalReader } from "../core/read-journal.ts";
import { hashOf, type RunRecord } from "../core/run.ts";
import { FORMAT, type StudyFile, studyFileProblem } from "../core/study-file.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import { openFile, readJsonIfAny } from "../host/files.ts";
import { PROGRAM_VERSION } from "../host/package.ts";
import { reportDamage } from "./damage.ts";
import { folderRecords, hasOnlyFolders } from "./folder-study.ts";

const CHUNK_BYTES = 1 << 20;

/**
 * Hands over every record of a journal, oldest first; a run that was done again comes again. In a folder that another
 * tool wrote, what the runs' folders say.
 */
export function forEachRecord(studyDir: string, onRecord: (record: RunRecord) => void): void {
  const path = `${studyDir}/${STUDY_FILES.journal}`;
  if (hasOnlyFolders(studyDir)) for (const record of folderRecords(studyDir)) onRecord(record);
  if (!existsSync(path)) return;
  const reader = new JournalReader(onRecord);
  const file = openFile(path);
  try {
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let bytes = readSync(file, chunk); bytes > 0; bytes = readSync(file, chunk))
      reader.push(chunk.subarray(0, bytes));
    const broken = brokenLinesText(shown(path), reader.end());
    if (broken !== undefined) reportDamage(`${broken}. All other records are used.`);
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
