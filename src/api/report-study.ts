import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findOut } from "../analysis/findings.ts";
import { readStudyFile } from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import { reporters } from "../reporters/index.ts";
import { currentRecords } from "./current-records.ts";

/** Writes the report of a study, also while it runs; gives the files, the page first. */
export function reportStudy(studyDir: string, options: { outDir?: string } = {}): string[] {
  const study = readStudyFile(studyDir);
  if (!study) {
    throw new UserError(`${studyDir} has no readable study.json`, {
      remedy: "`assay collect` works on such a folder; a report needs a study that `assay run` made.",
    });
  }
  const findings = findOut(study, currentRecords(studyDir));
  const outDir = options.outDir ?? `${studyDir}/report`;
  return reporters.flatMap((reporter) =>
    reporter.render(findings).map(({ path, content }) => {
      const full = join(outDir, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(`${full}.tmp`, content);
      renameSync(`${full}.tmp`, full);
      return full;
    }),
  );
}
