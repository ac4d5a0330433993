import { errorText } from "../core/errors.ts";
import { type Attempt, failed, OK, type Outcome, timedOut } from "../core/run.ts";
import { startInstruments } from "../instruments/index.ts";
import { checkParams } from "../targets/check-params.ts";
import { cleanMetrics } from "../targets/command/read-results.ts";
import type { Target, TargetContext, TargetMetrics } from "../targets/target.ts";
import type { Job, Setting } from "./executor.ts";
import { SeriesFile } from "./series-file.ts";

interface ModuleRun {
  job: Job;
  setting: Setting;
  target: Target;
  outDir: string | null;
  seriesPath: string | null;
  signal?: AbortSignal | undefined;
}

const NEVER = new AbortController().signal;

/**
 * Calls a target once and turns whatever happens into an attempt. A target that answers at once is not made
 * to wait for a promise: with a million short runs that is most of the time.
 */
export function runModule(call: ModuleRun): Attempt | Promise<Attempt> {
  const { job, setting, target, outDir, seriesPath, signal = NEVER } = call;
  const { run } = job;
  const startedAtMs = Date.now();
  const start = performance.now();
  const warnings: string[] = [];
  const series = seriesPath === null ? undefined : new SeriesFile(seriesPath);
  let measured: () => Record<string, number> = () => ({});

  // Only a run past its time is asked to end.
  const judge = (outcome: Outcome) => (signal.aborted ? timedOut(setting.limits.timeoutMs) : outcome);
  const end = (raw: TargetMetrics): Attempt => {
    const instruments = measured();
    const wallMs = performance.now() - start;
    series?.close();
    const metrics = { ...cleanMetrics(raw ?? {}, warnings), ...instruments };
    const attempt: Attempt = { outcome: judge(OK), metrics, startedAtMs, wallMs };
    if (warnings.length > 0) attempt.warnings = warnings;
    if (typeof metrics.cost_usd === "number") attempt.costUsd = metrics.cost_usd;
    return attempt;
  };
  const fail = (error: unknown): Attempt => {
    series?.close();
    const reason = errorText(error);
    if (error instanceof Error && error.stack && outDir !== null) console.error(error.stack);
    const outcome = judge(failed("agent", reason));
    return { outcome, metrics: {}, startedAtMs, wallMs: performance.now() - start };
  };

  try {
    const ctx: TargetContext = {
      params: checkParams(target, run.params),
      seed: run.seed,
      task: run.task,
      repeat: run.repeat,
      baseDir: setting.baseDir,
      outDir,
      signal,
      series: (values) => series?.append(values),
      warn: (text) => warnings.push(text),
    };
    const body = (): TargetMetrics | Promise<TargetMetrics> => {
      measured = startInstruments(setting.instruments);
      return target.run(ctx);
    };
    const first = setting.warmup > 0 ? warmUp(target, ctx, setting.warmup) : undefined;
    const answer = first ? first.then(body) : body();
    return answer instanceof Promise ? answer.then(end).catch(fail) : end(answer);
  } catch (error) {
    return fail(error);
  }
}

async function warmUp(target: Target, ctx: TargetContext, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await target.run({ ...ctx, outDir: null, series: () => {} });
}
