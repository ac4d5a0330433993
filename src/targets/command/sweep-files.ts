import { writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Params } from "../../core/params.ts";
import { pythonJson } from "../../core/python-text.ts";
import { hashOf, type Run } from "../../core/run.ts";
import type { CommandRef } from "../../core/study.ts";
import { argsFile, floatTest, sweepParams } from "./sweep-argv.ts";

/** What the program of a sweep file reads beside its command line: its arguments, and what `wandb.init()` looks for. */
export function writeSweepFiles(
  { argv, sweepArgs }: Pick<CommandRef, "argv" | "sweepArgs">,
  run: Run,
  outDir: string,
): void {
  if (!sweepArgs) return;
  const params = sweepParams(run, sweepArgs);
  const isFloat = floatTest(sweepArgs);
  if (argv.includes("${args_json_file}")) writeFileSync(argsFile(outDir), pythonJson(params, isFloat));
  const config: Params = { wandb_version: 1 };
  for (const [name, value] of Object.entries(params)) config[name] = { value };
  // JSON is YAML too.
  const text = pythonJson(config, (number, [name, , ...below]) => isFloat(number, [name!, ...below]));
  writeFileSync(configFile(outDir), `${text}\n`);
}

interface SweepRun {
  studyDir: string;
  outDir: string;
  /** What the study itself sets. */
  env: Record<string, string>;
}

/**
 * The environment that such a program knows: which sweep and which run it is, where its configuration stands, and a
 * folder of the run's own for what that library leaves. Nothing is sent anywhere unless the user says so.
 */
export function sweepEnv(run: Run, { studyDir, outDir, env }: SweepRun): Record<string, string> {
  const isSet = (name: string) => process.env[name] !== undefined || env[name] !== undefined;
  return {
    WANDB_SWEEP_ID: basename(studyDir),
    WANDB_RUN_ID: hashOf(run.id),
    WANDB_SWEEP_PARAM_PATH: configFile(outDir),
    ...(!isSet("WANDB_DIR") && { WANDB_DIR: outDir }),
    ...(!isSet("WANDB_MODE") && { WANDB_MODE: "offline" }),
  };
}

function configFile(outDir: string): string {
  return `${dirname(outDir)}/sweep-config.yaml`;
}
