import { writeFileSync } from "node:fs";
import { entryPath } from "./entry.ts";
import type { Job, Setting } from "./executor.ts";

/** How a module target runs as a child process: Node, on a small program that reads `job.json`. */
export function moduleCommand({ studyDir }: Setting): { argv: string[]; cwd: string } {
  return { argv: [process.execPath, entryPath("module-child"), "${out_dir}"], cwd: studyDir };
}

export function writeJobFile(dir: string, job: Job, setting: Setting): void {
  writeFileSync(`${dir}/job.json`, JSON.stringify({ job, setting: { ...setting, env: {} } }));
}
