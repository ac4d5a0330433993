import { delimiter } from "node:path";
import { pythonJson } from "../../core/python-text.ts";
import type { Run } from "../../core/run.ts";
import type { SweepArgs } from "../../core/study.ts";
import { packageDir } from "../../host/environment.ts";
import { floatTest, sweepParams } from "./sweep-argv.ts";

/** Linux takes no variable above 128 KiB. */
const MOST_LENGTH = 100_000;

/** Where the files for Python programs lie: our own names, and modules that stand in for others' packages. */
export function pythonDir(): string {
  return `${packageDir()}/python`;
}

/**
 * What a Python program needs to find its parameters and our modules. Our `wandb` goes before an installed one, unless
 * the study or the user says ASSAY_WANDB=real.
 */
export function pythonEnv(
  run: Run,
  { env, sweepArgs }: { env: Record<string, string>; sweepArgs: SweepArgs | undefined },
): Record<string, string> {
  const setting = (name: string) => env[name] ?? process.env[name] ?? "";
  const folders = [pythonDir()];
  if (setting("ASSAY_WANDB") !== "real") folders.push(`${pythonDir()}/stand-ins`);
  const theirs = setting("PYTHONPATH");
  if (theirs !== "") folders.push(theirs);
  const params = sweepArgs
    ? pythonJson(sweepParams(run, sweepArgs), floatTest(sweepArgs))
    : JSON.stringify(run.params);
  return {
    PYTHONPATH: folders.join(delimiter),
    ...(params.length <= MOST_LENGTH && { ASSAY_PARAMS: params }),
  };
}
