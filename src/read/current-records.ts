import { latestRecords, readStudyFile } from "../archive/read-records.ts";
import type { RunRecord } from "../core/run.ts";
import type { StudyFile } from "../core/study-file.ts";
import { containsRun } from "../plan/cells.ts";

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
