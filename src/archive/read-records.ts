import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { JournalReader, type OnRecord } from "../core/read-journal.ts";
import { hashOf, type RunRecord } from "../core/run.ts";
import type { StudyFile } from "../core/study-file.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import { readJsonIfAny } from "../host/files.ts";

const CHUNK_BYTES = 1 << 20;

/** Hands over every record of a journal, oldest first; a run that was done again comes again. */
export function forEachRecord(studyDir: string, onRecord: OnRecord): { brokenLines: number } {
  const path = `${studyDir}/${STUDY_FILES.journal}`;
  const reader = new JournalReader(onRecord);
  if (!existsSync(path)) return { brokenLines: 0 };
  const file = openSync(path, "r");
  try {
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let bytes = readSync(file, chunk); bytes > 0; bytes = readSync(file, chunk))
      reader.push(chunk.subarray(0, bytes));
    return reader.end();
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

/** study.json, or undefined in a folder that another tool wrote. */
export function readStudyFile(studyDir: string): StudyFile | undefined {
  return readJsonIfAny<StudyFile>(`${studyDir}/${STUDY_FILES.study}`);
}
