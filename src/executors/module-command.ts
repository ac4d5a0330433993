import { rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Job, Setting } from "../core/executor.ts";
import type { Attempt, Iterations } from "../core/run.ts";
import { isPythonTarget } from "../core/study.ts";
import { RUN_FILES } from "../core/study-folder.ts";
import { entryPath } from "../host/environment.ts";
import { readJsonIfAny } from "../host/files.ts";
import { interpreter } from "../targets/command/find-program.ts";
import { pythonDir } from "../targets/command/python-env.ts";
import { describeIterations } from "./iterations/describe-iterations.ts";

/** How a module target runs as a child process: Node or Python, on a small program that reads `job.json`. */
export function moduleCommand({ studyDir, target }: Setting): { argv: string[]; cwd: string } {
  if (isPythonTarget(target)) {
    const runner = `${pythonDir()}/assay_bench.py`;
    return {
      argv: [interpreter(), runner, "run", "${out_dir}", RUN_FILES.attempt],
      cwd: dirname(target.path),
    };
  }
  return { argv: [process.execPath, entryPath("module-child"), "${out_dir}"], cwd: studyDir };
}

/** Where a module that runs as a process leaves what it measured, for the process that started it. */
export function attemptPath(dir: string): string {
  return `${dir}/${RUN_FILES.attempt}`;
}

/** What the module said of its run; undefined where it was ended before it could. Read once. */
export function takeAttempt(dir: string, { target, instruments }: Setting): Attempt | undefined {
  const attempt = readJsonIfAny<Attempt>(attemptPath(dir), { isForeign: true });
  rmSync(attemptPath(dir), { force: true });
  return attempt && isPythonTarget(target) ? summarised(attempt as PythonAttempt, instruments) : attempt;
}

/** Python tells what each iteration gave, and where it ran. */
type PythonAttempt = Attempt & {
  iterations: Iterations;
  warnings: string[];
  python: Record<string, unknown>;
};

function summarised({ python, ...told }: PythonAttempt, instruments: Setting["instruments"]): Attempt {
  const { iterations, warnings } = told;
  const isTimed = instruments.some(({ name }) => name === "timing");
  const warn = (text: string) => void warnings.push(text);
  const metrics = { ...describeIterations(iterations, { isTimed, warn }), ...iterations.ofRun };
  const attempt: Attempt = { ...told, metrics, environment: { python } };
  if (warnings.length === 0) delete attempt.warnings;
  if (Object.keys(attempt.labels ?? {}).length === 0) delete attempt.labels;
  return attempt;
}

export function writeJobFile(dir: string, job: Job, setting: Setting): void {
  writeFileSync(`${dir}/${RUN_FILES.job}`, JSON.stringify({ job, setting: { ...setting, env: {} } }));
}
