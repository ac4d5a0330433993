import { rmSync, writeFileSync } from "node:fs";
import type { Job, Setting } from "../core/executor.ts";
import type { Attempt } from "../core/run.ts";
import { RUN_FILES } from "../core/study-folder.ts";
import { readJsonIfAny } from "../host/files.ts";
import { entryPath } from "./entry.ts";

/** How a module target runs as a child process: Node, on a small program that reads `job.json`. */
export function moduleCommand({ studyDir }: Setting): { argv: string[]; cwd: string } {
  return { argv: [process.execPath, entryPath("module-child"), "${out_dir}"], cwd: studyDir };
}

/** Where a module that runs as a process leaves what it measured, for the process that started it. */
export function attemptPath(dir: string): string {
  return `${dir}/${RUN_FILES.attempt}`;
}

/** What the module said of its run; undefined where it was ended before it could. Read once. */
export function takeAttempt(dir: string): Attempt | undefined {
  const attempt = readJsonIfAny<Attempt>(attemptPath(dir), { isForeign: true });
  rmSync(attemptPath(dir), { force: true });
  return attempt;
}

export function writeJobFile(dir: string, job: Job, setting: Setting): void {
  writeFileSync(`${dir}/${RUN_FILES.job}`, JSON.stringify({ job, setting: { ...setting, env: {} } }));
}
