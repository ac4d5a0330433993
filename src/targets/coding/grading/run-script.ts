import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createRedactor } from "../../../core/redact.ts";
import { type ProgramResult, type ProgramSandbox, SandboxError } from "../../../sandboxes/sandbox.ts";
import type { Proof } from "../../agent/proof.ts";
import { hasProgram, interpreterOf } from "../interpreter.ts";
import { readPlainFile } from "../read-plain-file.ts";
import { readyWords, whyNotReady } from "../ready-machine.ts";
import { inImage } from "../task-image.ts";
import type { RolloutTask } from "../tasks/task.ts";
import { changedGraderFiles, type GradePlaces, placeGraderFiles } from "./grade-places.ts";

/** What tests run under. */
export interface GradeSetting {
  task: RolloutTask;
  sandbox: ProgramSandbox;
  timeoutMs: number;
  memoryMb: number;
  diskMb: number;
  network: boolean;
  /** The study's own variables. */
  env: Record<string, string>;
  signal: AbortSignal;
}

export interface ScriptEnd {
  result: ProgramResult;
  stdout: string;
  /** Standard output, then standard error. */
  output: string;
  /** Why it was not even started. */
  problem?: string;
  /** Files of the grader's that were not as the task has them when it ended. */
  changed: string[];
}

const OUTPUT_BYTES = 200_000;
const NOT_STARTED: ProgramResult = { exitCode: null, wallMs: 0, omittedBytes: 0 };

/**
 * Runs one script of the grader's in the graded copy, as the task has it: neither the patch nor an earlier script can
 * replace what it grades by. Nothing that it started is left afterwards.
 */
export async function runScript(
  path: string,
  places: GradePlaces,
  setting: GradeSetting & { proof?: Proof | undefined },
): Promise<ScriptEnd> {
  const { task, sandbox, signal, env: given, proof, ...limits } = setting;
  const { seen } = places;
  const repo = seen.inside(places.repo);
  placeGraderFiles(places, task.grading, proof);
  const interpreter = interpreterOf(path, readFileSync(join(places.repo, path), "utf8"));
  // A sandbox with images has programs of its own.
  if (!sandbox.images && !hasProgram(interpreter[0]!)) {
    const problem = `its interpreter ${interpreter[0]} is not installed`;
    return { result: NOT_STARTED, stdout: "", output: "", problem, changed: [] };
  }
  const [stdoutPath, stderrPath] = [join(places.dir, "stdout.txt"), join(places.dir, "stderr.txt")];
  const env = {
    ...task.env,
    ...given,
    ...task.grading.env,
    ...(!task.machine && { HOME: seen.inside(places.home) }),
    GIT_CEILING_DIRECTORIES: dirname(repo),
    ASSAY_PATCH_FILE: places.patchFile,
  };
  const ready = await readyWords(task, [...interpreter, join(repo, path)], {
    ...{ images: sandbox.images, user: task.users?.verifier },
  });
  const result = await sandbox.execute({
    argv: ready.argv,
    cwd: places.repo,
    env,
    writable: seen.mounts,
    readable: [{ path: places.patchFile }, ...places.readable],
    ...limits,
    stdoutPath,
    stderrPath,
    outputBytes: OUTPUT_BYTES,
    signal,
    tmpParent: places.dir,
    ...inImage(task, { keeps: false }),
    ...(places.image !== undefined && { image: places.image }),
  });
  signal.throwIfAborted();
  const problem = ready.isAsked ? whyNotReady({ stdoutPath, stderrPath }, result) : undefined;
  if (problem !== undefined) throw new SandboxError(problem);
  const redactor = createRedactor({ ...process.env, ...env });
  const [stdout, stderr] = [stdoutPath, stderrPath].map((file) =>
    redactor.text(readPlainFile(file, 2 * OUTPUT_BYTES) ?? ""),
  ) as [string, string];
  const changed = changedGraderFiles(places, task.grading);
  return { result, stdout, output: [stdout, stderr].filter(Boolean).join("\n"), changed };
}
