import { readStudyFile } from "../archive/read-records.ts";
import type { PreparedStudy } from "./prepare-study.ts";

/** Says which files of a study's program changed since it was launched as another program. */
export function changedSince({
  studyDir,
  programFiles,
}: Pick<PreparedStudy, "studyDir" | "programFiles">): (program: string) => string[] {
  const known = new Map<string, string[]>();
  return (program) => {
    let changed = known.get(program);
    if (!changed) {
      const before = readStudyFile(studyDir)?.launches.findLast(
        (launch) => launch.program === program,
      )?.files;
      const names = new Set([...Object.keys(before ?? {}), ...Object.keys(programFiles)]);
      changed = before ? [...names].filter((name) => before[name] !== programFiles[name]) : [];
      known.set(program, changed);
    }
    return changed;
  };
}
