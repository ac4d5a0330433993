import type { RunRecord } from "../../src/core/run.ts";
import type { Study } from "../../src/core/study.ts";
import type { StudyFile } from "../../src/core/study-folder.ts";
import { Plan } from "../../src/plan/plan.ts";
import { aRecord, aStudyFile } from "./a-study.ts";
import { TempFolder } from "./temp-folder.ts";

const PROGRAM = "noop@1";

/** The records of every run that a study plans; a run of which nothing is returned was not done. */
export function recordsOf(
  study: Study,
  measure: (run: RunRecord) => Partial<RunRecord> | undefined,
): RunRecord[] {
  return [...new Plan(study, PROGRAM).runs()].flatMap((run) => {
    const record = aRecord({ ...run, program: PROGRAM });
    const found = measure(record);
    return found ? [{ ...record, ...found }] : [];
  });
}

/** A study's folder as a launch leaves it. */
export function studyFolder(
  study: Study,
  records: readonly RunRecord[],
  part: Partial<StudyFile> = {},
): TempFolder {
  const file = aStudyFile({ name: study.name, program: PROGRAM, study, total: records.length, ...part });
  return new TempFolder({
    "study.json": JSON.stringify(file),
    "journal.jsonl": records.map((record) => `${JSON.stringify(record)}\n`).join(""),
  });
}
