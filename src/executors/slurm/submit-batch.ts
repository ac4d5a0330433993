import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import type { Setting } from "../../core/executor.ts";
import { STUDY_FILES } from "../../core/study-folder.ts";
import { entryPath } from "../../host/environment.ts";
import { replaceFile } from "../../host/files.ts";
import { thisProcess } from "../../host/processes.ts";
import { ArrayTask, Batch } from "./batch.ts";
import { makeBatchFolder } from "./batch-files.ts";
import type { Entry } from "./run-book.ts";
import { sbatchWords } from "./sbatch-words.ts";
import { findJob, SlurmBusy, submit } from "./slurm-commands.ts";
import { taskScript } from "./task-script.ts";

/** What belongs to this machine or this process alone, and must not follow a run to a node. */
const OWN = new Set(["ASSAY_MODEL_GATE", "ASSAY_RUNNER"]);
/** Where Slurm is. Other SLURM_ variables tell of the job that the study itself may have been started in. */
const WHERE_SLURM_IS = new Set(["SLURM_CONF", "SLURM_CLUSTERS"]);

export function batchesDir(studyDir: string): string {
  return `${studyDir}/${STUDY_FILES.slurm}`;
}

/**
 * The name of a batch's job: with it the job is found again when its id was never written down. squeue takes a comma in
 * it for the end of one name and the beginning of another.
 */
export function jobName(studyDir: string, batchDir: string): string {
  return `assay-${basename(studyDir)}-${basename(batchDir)}`.replaceAll(/[,\s]/g, "_");
}

/** Writes down what the tasks are to do, then submits them as one job array. */
export async function submitBatch(setting: Setting, chunks: Entry[][]): Promise<Batch> {
  const { studyDir, slurm = {} } = setting;
  const stamp = new Date().toISOString().replaceAll(/[-:T]/g, "").slice(0, 17);
  const dir = `${batchesDir(studyDir)}/${stamp}-${randomBytes(3).toString("hex")}`;
  const envNames = Object.keys(setting.env).filter((name) => !OWN.has(name));
  const { slurm: _options, queue: _other, ...shared } = setting;
  const assigned = chunks.map((chunk) =>
    chunk.map(({ job, kills, moves, lost }) => ({ job, kills, moves, ...(lost && { lost }) })),
  );
  makeBatchFolder(dir, { setting: { ...shared, env: {} }, envNames, cwd: process.cwd() }, assigned);
  replaceFile(`${dir}/owner.json`, JSON.stringify(thisProcess()));
  const script = `${dir}/task.sh`;
  writeFileSync(script, taskScript({ dir, node: process.execPath, program: entryPath("slurm-task") }));
  const name = jobName(studyDir, dir);
  const words = sbatchWords(slurm, { name, comment: studyDir, tasks: chunks.length, script });
  const jobId = await submit(words, taskEnv(setting)).catch(async (error: unknown) => {
    // Of a controller that is too busy perhaps only the answer was lost: the tasks may be at work already.
    const taken = error instanceof SlurmBusy ? await findJob(name).catch(() => undefined) : undefined;
    if (taken !== undefined) return taken;
    // Should Slurm take it later all the same, its tasks find nothing to do.
    rmSync(dir, { recursive: true, force: true });
    throw error;
  });
  replaceFile(`${dir}/job.json`, JSON.stringify({ jobId }));
  const batch = new Batch(dir, jobId);
  batch.tasks = chunks.map((chunk, index) => new ArrayTask(batch, index, chunk));
  return batch;
}

/** Slurm carries it to the nodes by itself, so that no secret stands in a file of the study. */
function taskEnv({ env }: Setting): NodeJS.ProcessEnv {
  const all = Object.entries({ ...process.env, ...env });
  return Object.fromEntries(
    all.filter(([name]) => !OWN.has(name) && (!name.startsWith("SLURM_") || WHERE_SLURM_IS.has(name))),
  );
}
