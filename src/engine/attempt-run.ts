import type { Job } from "../core/executor.ts";
import type { Attempt, EarlierAttempt, Run, RunRecord } from "../core/run.ts";
import type { StudyEvent } from "../core/sink.ts";
import type { Pending, StudyRun } from "./run-study.ts";
import type { Steering } from "./steering.ts";

interface AttemptContext {
  study: StudyRun;
  emit: (event: StudyEvent) => void;
  halt: AbortSignal;
  steering: Steering;
}

/** Tries a run, and again after infrastructure failures, up to its retries. */
export async function attempt(
  { run, attemptsBefore, hasResult = false, generated }: Pending,
  { study, emit, halt, steering }: AttemptContext,
): Promise<RunRecord> {
  const { executor, clock, limits, kill, program } = study;
  const earlier: EarlierAttempt[] = [];
  /** No tries of this launch: they don't count as retries. */
  const lost: EarlierAttempt[] = [];
  for (;;) {
    const number = attemptsBefore + lost.length + earlier.length + 1;
    const job: Job = { run, attempt: number };
    if (hasResult) job.hasResult = true;
    if (generated) job.generated = generated;
    const result = await executor.execute(job, kill.signal);
    if (result.lost) lost.push(...result.lost);
    const record = recordOf(run, result, { program, attempt: number + (result.lost?.length ?? 0) });
    if (lost.length + earlier.length > 0) record.earlier = [...lost, ...earlier];
    if (!isRetried(result, earlier.length, limits.retries) || halt.aborted) return record;
    const reason = result.outcome.reason ?? result.outcome.status;
    const { wallMs, costUsd } = result;
    const waitMs = limits.backoffMs * 2 ** earlier.length;
    emit({ kind: "retrying", run, reason, waitMs });
    const cancelled = await steering.rest(run.id, waitMs, clock);
    if (cancelled !== undefined) return { ...record, outcome: { status: "cancelled", reason: cancelled } };
    if (halt.aborted) return record;
    earlier.push(costUsd === undefined ? { reason, wallMs } : { reason, wallMs, costUsd });
  }
}

/** Written out field by field: copying by spread was a quarter of the time of a short run. */
function recordOf(
  run: Run,
  result: Attempt,
  { program, attempt }: Pick<RunRecord, "program" | "attempt">,
): RunRecord {
  const { id, params, variant, flags, seed, task, repeat } = run;
  const { outcome, metrics, startedAtMs, wallMs, labels, warnings, costUsd, files } = result;
  const record: RunRecord = {
    id,
    params,
    variant,
    flags,
    seed,
    task,
    repeat,
    program,
    attempt,
    outcome,
    metrics,
    startedAtMs,
    wallMs,
  };
  if (run.taskVersion !== undefined) record.taskVersion = run.taskVersion;
  if (labels !== undefined) record.labels = labels;
  if (warnings !== undefined) record.warnings = warnings;
  if (costUsd !== undefined) record.costUsd = costUsd;
  if (files !== undefined) record.files = files;
  if (result.scored !== undefined) record.scored = result.scored;
  return record;
}

function isRetried({ outcome }: Attempt, retriesDone: number, retries: number): boolean {
  return outcome.status === "failed" && outcome.owner === "infrastructure" && retriesDone < retries;
}
