import { relative } from "node:path";
import { currentRecords } from "../archive/read-records.ts";
import { isFailure } from "../core/run.ts";
import type { PreparedStudy } from "../launch/prepare-study.ts";
import { table } from "./terminal.ts";

/** The studies of one file side by side: where each is, and how its runs ended. */
export function seriesSummary(studies: readonly PreparedStudy[], mistakes: number): string {
  const rows = studies.map(({ study, studyDir }) => {
    const records = currentRecords(studyDir);
    const ok = records.filter(({ outcome }) => outcome.status === "ok").length;
    const failed = records.filter(({ outcome }) => isFailure(outcome)).length;
    return [study.name, ok, failed, relative(process.cwd(), studyDir) || "."];
  });
  const rest = mistakes > 0 ? `, and ${mistakes} that could not start` : "";
  return `${studies.length} ${studies.length === 1 ? "study" : "studies"}${rest}\n${table(["study", "ok", "failed", "folder"], rows)}`;
}

/** The worst of several ends is the command's. */
export function raiseExitCode(code: number): void {
  process.exitCode = Math.max(Number(process.exitCode ?? 0), code);
}
