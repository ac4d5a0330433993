import { type ReportOptions, writeReport } from "../read/write-report.ts";

/** Writes the report and the table of a study, also while it runs; gives the report's files, the page first. */
export async function reportStudy(studyDir: string, options: ReportOptions = {}): Promise<string[]> {
  return (await writeReport(studyDir, options)).files;
}
