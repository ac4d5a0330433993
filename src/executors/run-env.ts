import type { Job, Setting } from "../core/executor.ts";
import type { Run } from "../core/run.ts";
import { type CommandRef, isPythonTarget } from "../core/study.ts";
import { RUN_FILES, runDir, runOutDir } from "../core/study-folder.ts";
import { pythonEnv } from "../targets/command/python-env.ts";
import { sweepEnv } from "../targets/command/sweep-files.ts";
import type { RunFolder } from "./run-folder.ts";

/** What the words of a scorer may name of the run whose output it scores. */
export function scoredPlaces({ scoredDir }: Setting, { id }: Run): Record<string, string> {
  if (scoredDir === undefined) return {};
  return { run_dir: runDir(scoredDir, id), output_dir: runOutDir(scoredDir, id) };
}

/** What a program finds in its environment about the run that it is. */
export function runEnv(
  { run, env = {} }: Job,
  { setting, words }: { setting: Setting; words: Pick<CommandRef, "sweepArgs"> },
  { dir, outDir, seriesPath, attempt, state }: RunFolder,
): Record<string, string> {
  const scored = scoredPlaces(setting, run);
  const isPython = setting.target.kind === "command" || isPythonTarget(setting.target);
  return {
    ASSAY_RUN_ID: run.id,
    ASSAY_ATTEMPT: String(attempt),
    ASSAY_SEED: String(run.seed),
    ...(run.task !== null && { ASSAY_TASK: run.task }),
    ...(run.item && { ASSAY_TASK_FILE: `${dir}/${RUN_FILES.task}` }),
    ASSAY_OUT_DIR: outDir,
    ...(scored.run_dir !== undefined && {
      ASSAY_RUN_DIR: scored.run_dir,
      ASSAY_OUTPUT_DIR: scored.output_dir!,
    }),
    ASSAY_SERIES: seriesPath,
    ASSAY_STATE_DIR: state.open(),
    // What a module of Node starts is its own affair.
    ...(isPython && pythonEnv(run, { env: setting.env, sweepArgs: words.sweepArgs })),
    ...(words.sweepArgs && sweepEnv(run, { ...setting, outDir })),
    ...env,
  };
}
