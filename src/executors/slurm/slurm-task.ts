import { hostname } from "node:os";
import { errorText, explainFileError, MachineError, UserError } from "../../core/errors.ts";
import type { Executor } from "../../core/executor.ts";
import { PREEMPTED, Preemption } from "../../core/preemption.ts";
import { type Attempt, failed } from "../../core/run.ts";
import { sleep } from "../../host/clock.ts";
import { redactorFor } from "../../host/environment.ts";
import { readJson } from "../../host/files.ts";
import { reapMarked, SLURM_RUNNER } from "../../host/processes.ts";
import { createExecutor } from "../index.ts";
import { unstarted } from "../task.ts";
import {
  type Assigned,
  type BatchSetting,
  chunkPath,
  type Order,
  type ResultLine,
  readLines,
  resultsPath,
} from "./batch-files.ts";
import { LineFollower } from "./line-follower.ts";
import { ResultFile } from "./result-file.ts";
import { MOST_KILLS, withLost } from "./run-book.ts";

/** What an array task is: `node slurm-task.js BATCH`, started by Slurm, does the runs of its chunk one by one. */
const LOOK_MS = 1000;
const TERM_MS = 250;
const dir = process.argv[2]!;
const index = Number(process.env.SLURM_ARRAY_TASK_ID);
const restart = Number(process.env.SLURM_RESTART_COUNT ?? 0);
const { setting, envNames, cwd } = readJson<BatchSetting>(`${dir}/setting.json`);
for (const name of envNames) setting.env[name] = process.env[name] ?? "";
const redactor = redactorFor(setting);
const results = new ResultFile(resultsPath(dir, index, restart), redactor);
const orders = new LineFollower<Order>(`${dir}/orders.jsonl`);
const unwanted = new Set<string>();
const kill = new AbortController();
let isStopped = false;
let executor: Executor | undefined;

process.on("SIGTERM", () => kill.abort(new Preemption()));
// Told by the kernel or by hand; Slurm itself sends TERM.
process.on("SIGINT", () => kill.abort());

try {
  process.chdir(cwd);
} catch {
  // A folder that only the submitting machine has: programs have a folder of their own anyway.
}
await main();

async function main(): Promise<void> {
  const jobId = process.env.SLURM_ARRAY_JOB_ID ?? "";
  results.append({ kind: "up", jobId, node: process.env.SLURMD_NODENAME ?? hostname(), restart });
  // What it starts is marked as its own: other tasks of the study may share the node.
  const env = { ...setting.env, ASSAY_RUNNER: `${SLURM_RUNNER}${jobId}_${index}.${restart}` };
  try {
    executor = await createExecutor("", { ...setting, env, jobs: 1 });
    const watch = setInterval(takeOrders, LOOK_MS);
    const mine = leftOver();
    await endStrays(new Set(mine.map(({ job }) => job.run.id)));
    for (const assigned of mine) {
      takeOrders();
      if (kill.signal.aborted || isStopped) break;
      const { run, attempt } = assigned.job;
      if (!unwanted.has(run.id)) await runOne(assigned, { run: run.id, attempt });
    }
    clearInterval(watch);
    await executor.close();
  } catch (caught) {
    const error = explainFileError(caught);
    const isUsers = error instanceof UserError;
    results.append({
      kind: "broken",
      message: errorText(error),
      isUsers,
      isMachines: error instanceof MachineError,
    });
    results.close();
    process.exit(1);
  }
  if (!kill.signal.aborted) results.append({ kind: "done" });
  results.close();
  // What a target left open must not keep the node.
  process.exit(kill.signal.aborted ? 143 : 0);
}

async function runOne(assigned: Assigned, which: { run: string; attempt: number }): Promise<void> {
  if (assigned.kills >= MOST_KILLS) {
    const why = `under way ${assigned.kills} times when the cluster ended its task`;
    const result = withLost(unstarted(failed("infrastructure", why)), assigned.lost);
    results.append({ kind: "ended", ...which, result });
    return;
  }
  results.append({ kind: "begun", ...which, atMs: Date.now() });
  const job = { ...assigned.job, cut: assigned.lost?.length ?? 0 };
  const result: Attempt = await executor!.execute(job, kill.signal);
  await listenForTerm(result.outcome.status);
  if (kill.signal.aborted && result.outcome.status !== "ok") {
    const { wallMs, costUsd, outcome } = result;
    const cost = costUsd === undefined ? {} : { costUsd };
    const isPreempted = outcome.reason === PREEMPTED;
    results.append({ kind: "cut", ...which, wallMs, ...cost, ...(isPreempted && { isPreempted }) });
  } else results.append({ kind: "ended", ...which, result: withLost(result, assigned.lost) });
}

/**
 * Slurm sends TERM to every process of a task at once, so that a program may have died of it before this one has heard
 * of it. A run that failed waits a moment for that news: what the cluster did is not the program's failure.
 */
async function listenForTerm(status: Attempt["outcome"]["status"]): Promise<void> {
  if (status === "ok") await new Promise((resolve) => setImmediate(resolve));
  else await sleep(TERM_MS);
}

/** Not every cluster ends what a crashed task had started: a run must have its folder alone. */
async function endStrays(runIds: Set<string>): Promise<void> {
  await reapMarked({ studyDir: setting.studyDir }, ({ runId }) => !runIds.has(runId));
}

/** The runs of the chunk that no earlier start of this task has finished, with what those starts lost. */
function leftOver(): Assigned[] {
  const chunk = new Map(readJson<Assigned[]>(chunkPath(dir, index)).map((one) => [one.job.run.id, one]));
  for (let start = 0; start < restart; start++) {
    for (const line of readLines<ResultLine>(resultsPath(dir, index, start))) takeEarlier(chunk, line, start);
  }
  return [...chunk.values()];
}

function takeEarlier(chunk: Map<string, Assigned>, line: ResultLine, start: number): void {
  if (line.kind === "ended") chunk.delete(line.run);
  const one = line.kind === "begun" || line.kind === "cut" ? chunk.get(line.run) : undefined;
  if (!one || line.kind === "ended") return;
  if (line.kind === "begun") {
    one.kills++;
    const reason = `Slurm started its task again (start ${start + 2})`;
    one.lost = [...(one.lost ?? []), { reason, wallMs: 0 }];
  } else if (line.kind === "cut" && one.lost) {
    const { wallMs, costUsd } = line;
    // Whoever saved its state and left is suspected of nothing.
    if (line.isPreempted) one.kills--;
    one.lost.push({ ...one.lost.pop()!, wallMs, ...(costUsd !== undefined && { costUsd }) });
  }
}

function takeOrders(): void {
  for (const order of orders.next()) {
    if (order.kind === "stop") isStopped = true;
    else {
      unwanted.add(order.run);
      executor?.cancel?.(order.run, order.outcome);
    }
  }
}
