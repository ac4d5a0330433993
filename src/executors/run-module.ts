import { errorText } from "../core/errors.ts";
import type { Job, Setting } from "../core/executor.ts";
import {
  type Attempt,
  Delayed,
  failed,
  OK,
  type Outcome,
  ownerOf,
  RunFailure,
  timedOut,
} from "../core/run.ts";
import type { BoundInstrument } from "../instruments/instrument.ts";
import { checkParams } from "../targets/check-params.ts";
import type { Target, TargetContext, TargetMetrics } from "../targets/target.ts";
import { addLabel, cleanMetrics } from "./read-results.ts";
import { SeriesFile } from "./series-file.ts";

export interface ModuleRun {
  job: Job;
  setting: Setting;
  target: Target;
  instruments: readonly BoundInstrument[];
  outDir: string | null;
  seriesPath: string | null;
  signal: AbortSignal;
}

/**
 * Calls a target as often as the study says and turns whatever happens into an attempt. A target that is called
 * once and answers at once is not made to wait for a promise: with a million short runs that is most of the time.
 */
export function runModule(call: ModuleRun): Attempt | Promise<Attempt> {
  const { setting, target, instruments } = call;
  const { warmup, measured, batch } = setting.iterations;
  const isPlain = warmup === 0 && measured === 1 && batch === undefined && !target.setup && !target.teardown;
  if (isPlain && instruments.length === 0 && !setting.result) return runOnce(call);
  // Loaded late: most runs call their target once and time nothing.
  return import("./iterations/run-iterations.ts").then(({ runIterations }) => runIterations(call));
}

function runOnce({
  job,
  setting,
  target,
  outDir,
  seriesPath,
  signal,
}: ModuleRun): Attempt | Promise<Attempt> {
  const { run } = job;
  const startedAtMs = Date.now();
  const start = performance.now();
  const warnings: string[] = [];
  let labels: Record<string, string> | undefined;
  const series = seriesPath === null ? undefined : new SeriesFile(seriesPath);

  // Only a run past its time is asked to end.
  const judge = (outcome: Outcome, error?: unknown) =>
    signal.aborted && !(error instanceof Delayed) ? timedOut(setting.limits.timeoutMs) : outcome;
  const end = (raw: TargetMetrics): Attempt => {
    const wallMs = performance.now() - start;
    series?.close();
    const metrics = cleanMetrics(raw ?? {}, warnings);
    const attempt: Attempt = { outcome: judge(OK), metrics, startedAtMs, wallMs };
    if (warnings.length > 0) attempt.warnings = warnings;
    if (labels !== undefined) attempt.labels = labels;
    if (typeof metrics.cost_usd === "number") attempt.costUsd = metrics.cost_usd;
    return attempt;
  };
  const fail = (error: unknown): Attempt => {
    const reason = errorText(error);
    const isTold = error instanceof RunFailure;
    if (!isTold && error instanceof Error && error.stack && outDir !== null) console.error(error.stack);
    const outcome = judge(failed(ownerOf(error), reason), error);
    return { ...end(isTold ? error.metrics : {}), outcome };
  };

  try {
    const ctx: TargetContext = {
      runId: run.id,
      params: checkParams(target, run.params),
      seed: run.seed,
      task: run.task,
      ...(run.item && { item: run.item }),
      repeat: run.repeat,
      iteration: 0,
      baseDir: setting.baseDir,
      outDir,
      trace: setting.trace !== false,
      ...(setting.traffic && { traffic: setting.traffic }),
      signal,
      series: (values) => series?.append(values),
      warn: (text) => warnings.push(text),
      label: (name, text) => {
        labels ??= {};
        addLabel(labels, name, String(text), warnings);
      },
    };
    const answer = target.run(ctx, undefined);
    return answer instanceof Promise ? answer.then(end).catch(fail) : end(answer);
  } catch (error) {
    return fail(error);
  }
}
