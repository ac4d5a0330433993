import { existsSync, readdirSync, rmSync } from "node:fs";
import type { Setting } from "../../core/executor.ts";
import { readJson, readJsonIfAny } from "../../host/files.ts";
import { isAlive, type Living, processHost } from "../../host/processes.ts";
import { ArrayTask, Batch } from "./batch.ts";
import { type Assigned, chunkPath, type Order, readLines, type Verdict } from "./batch-files.ts";
import type { RunBook } from "./run-book.ts";
import { findJob } from "./slurm-commands.ts";
import { batchesDir, jobName } from "./submit-batch.ts";

/**
 * The batches that an earlier launch left in Slurm when it was killed, oldest first. Their runs go into the book: what
 * has ended is there for whoever asks, what is under way is followed, the rest is submitted again.
 */
export async function adoptBatches(setting: Setting, book: RunBook): Promise<Batch[]> {
  const root = batchesDir(setting.studyDir);
  const names = existsSync(root) ? readdirSync(root).sort() : [];
  const adopted: Batch[] = [];
  for (const name of names) {
    const dir = `${root}/${name}`;
    if (isAnothers(dir, setting)) continue;
    const jobId = existsSync(`${dir}/closed`) ? undefined : await jobOf(dir, setting.studyDir);
    if (jobId === undefined) rmSync(dir, { recursive: true, force: true });
    else adopted.push(readBatch(dir, jobId, book));
  }
  return adopted;
}

function readBatch(dir: string, jobId: string, book: RunBook): Batch {
  const batch = new Batch(dir, jobId);
  batch.isStopped = readLines<Order>(`${dir}/orders.jsonl`).some(({ kind }) => kind === "stop");
  for (let index = 0; existsSync(chunkPath(dir, index)); index++) {
    const entries = readJson<Assigned[]>(chunkPath(dir, index)).map((assigned) => book.adopt(assigned));
    batch.tasks.push(new ArrayTask(batch, index, entries));
  }
  for (const { run, attempt, result } of readLines<Verdict>(`${dir}/verdicts.jsonl`)) {
    const entry = book.find(run, attempt);
    if (entry) book.finish(entry, result);
  }
  return batch;
}

/** A killed launch may have submitted a batch without writing its id down. */
async function jobOf(dir: string, studyDir: string): Promise<string | undefined> {
  const job = readJsonIfAny<{ jobId: string }>(`${dir}/job.json`);
  return job?.jobId ?? findJob(jobName(studyDir, dir));
}

/** Of a sweep's workers each has batches of its own; a study without any has one runner, by its lock. */
function isAnothers(dir: string, { env }: Setting): boolean {
  if (env.ASSAY_RUNNER === undefined) return false;
  const owner = readJsonIfAny<Living>(`${dir}/owner.json`);
  if (!owner) return false;
  const isOwn = owner.host === processHost() && owner.pid === process.pid;
  return !isOwn && isAlive(owner);
}
