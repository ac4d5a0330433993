import type { Findings } from "../analysis/findings.ts";
import { type Member, markMember } from "../core/family.ts";
import type { ReportData } from "./study-view.ts";

export interface OutputFile {
  /** Below the report's folder. */
  path: string;
  content: string;
}

/** JSON as it stands in a page. */
export interface Encoded {
  encoding: "plain" | "deflate-base64";
  text: string;
}

/** All that a report can be made from. */
export interface Report {
  findings: Findings;
  data: ReportData;
  /** `data` as it goes into a page; the table of runs on its own where it is large, else among the data. */
  encoded: { data: Encoded; runs: Encoded | null };
  /** The page's program and look; null where no page is made. */
  viewer: { script: string; style: string } | null;
  /** Charts that were written as files, by their paths below the report's folder. */
  pictures: { title: string; path: string }[];
}

/** Turns a report into files. Pure: it reads nothing but the report. */
export interface Reporter extends Member {
  description: string;
  render(report: Report): OutputFile[];
}

/** Declares a reporter of your own: `export default defineReporter({...})`. */
export function defineReporter(reporter: Reporter): Reporter {
  return markMember("reporter", reporter);
}
