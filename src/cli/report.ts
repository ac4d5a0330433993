import { relative } from "node:path";
import { collect } from "../api/collect-study.ts";
import { reportStudy } from "../api/report-study.ts";
import { findStudy } from "../archive/find-study.ts";
import { requireStudy } from "./overrides.ts";

interface ReportOptions {
  outRoot?: string;
  outDir?: string;
  json?: boolean;
}

export async function report(name: string | undefined, options: ReportOptions): Promise<void> {
  const studyDir = findStudy(requireStudy(name), options.outRoot);
  await collect(studyDir);
  const files = reportStudy(studyDir, options.outDir === undefined ? {} : { outDir: options.outDir }).map(
    (file) => relative(process.cwd(), file),
  );
  if (options.json) console.log(JSON.stringify({ files }));
  else console.log(`Open this report: ${files[0]}`);
}
