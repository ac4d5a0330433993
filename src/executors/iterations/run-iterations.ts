import { setImmediate } from "node:timers/promises";
import { errorText } from "../../core/errors.ts";
import {
  type Attempt,
  Delayed,
  failed,
  type Metrics,
  OK,
  type Outcome,
  ownerOf,
  RunFailure,
  timedOut,
} from "../../core/run.ts";
import type { Batch, Calls } from "../../core/study.ts";
import type { BoundInstrument, Measured } from "../../instruments/instrument.ts";
import { startInstruments } from "../../instruments/start-instruments.ts";
import { checkParams } from "../../targets/check-params.ts";
import type { Target, TargetContext } from "../../targets/target.ts";
import { addLabel, cleanMetrics } from "../read-results.ts";
import type { ModuleRun } from "../run-module.ts";
import { SeriesFile } from "../series-file.ts";
import { describeIterations } from "./describe-iterations.ts";
import { Enough } from "./enough.ts";
import { IterationLog } from "./iteration-log.ts";
import { watchMachine } from "./machine-load.ts";
import { Stopwatch, timingOverheadNs } from "./stopwatch.ts";
import { tearDown } from "./tear-down.ts";
import { ThreadClock, waitingShare } from "./thread-clock.ts";

/** A thousand times what reading the clock takes: it then adds a tenth of a percent. */
const ENOUGH_NS = 100_000;
const MOST_CALLS = 10_000_000;
/** So many batches in a row must be long enough: the first may have been compiled, or interrupted, meanwhile. */
const SURE = 3;

/** Between iterations the thread looks up this often, so that an order to end can reach it. */
const LOOK_UP_MS = 50;

/** One setup, warm-up iterations, measured iterations, one teardown; whatever happens becomes an attempt. */
export async function runIterations(call: ModuleRun): Promise<Attempt> {
  const { job, setting, target, outDir, seriesPath, signal, instruments } = call;
  const { run } = job;
  const { iterations } = setting;
  const { warmup, measured } = iterations;
  const startedAtMs = Date.now();
  const start = performance.now();
  const warnings = new Set<string>();
  const warn = (text: string) => void warnings.add(text);
  const series = seriesPath === null ? undefined : new SeriesFile(seriesPath);
  const log = new IterationLog(warmup, timingOverheadNs(), warn);
  let ofRun: Measured = {};
  let outcome: Outcome = OK;
  let hasOwnSeries = false;
  /** Where a failure happened: part of its reason. */
  let phase = "";
  /** What a failure tells of the iteration that it ended. */
  let told: Metrics = {};
  const labels: Record<string, string> = {};
  let isDelayed = false;
  const fail = (error: unknown) => {
    isDelayed ||= error instanceof Delayed;
    if (error instanceof RunFailure) {
      told = error.metrics;
      log.spend(told);
    } else if (error instanceof Error && error.stack && outDir !== null) console.error(error.stack);
    const reason = errorText(error);
    outcome = failed(ownerOf(error), phase === "" ? reason : `${phase}: ${reason}`);
    return reason;
  };
  try {
    const ctx: TargetContext = {
      runId: run.id,
      params: checkParams(target, run.params),
      seed: run.seed,
      task: run.task,
      repeat: run.repeat,
      iteration: -warmup,
      baseDir: setting.baseDir,
      outDir,
      trace: setting.trace !== false,
      ...(setting.traffic && { traffic: setting.traffic }),
      signal,
      series: (values) => {
        if (ctx.iteration < 0) return;
        hasOwnSeries = true;
        series?.append(values);
      },
      warn,
      label: (name, text) => {
        addLabel(labels, name, String(text), { push: warn });
      },
    };
    phase = "setup failed";
    const state = target.setup ? await target.setup(ctx) : undefined;
    try {
      for (; ctx.iteration < 0; ctx.iteration++) {
        phase = `warm-up iteration ${ctx.iteration + warmup + 1} of ${warmup}`;
        log.spend(await target.run(ctx, state));
      }
      phase = "choosing the batch";
      const calls = await countCalls(setting.iterations.batch, { target, ctx, state, log });
      if (calls > 1) {
        log.values.batch = calls;
        log.values.overheadNs = timingOverheadNs() / calls;
      }
      phase = "";
      const bound = { outDir, pid: undefined, iteration: 0, warn };
      const endOfRun = await startInstruments(scoped(instruments, "run"), bound);
      const endLoad = watchMachine(warn);
      const clock = new ThreadClock();
      try {
        const around = scoped(instruments, "iteration");
        const before = clock.read();
        await measure({ target, ctx, state, log, iterations, calls, instruments: around, clock });
        const bodiesMs = log.values.durationMs.reduce((sum, ms) => sum + ms * calls, 0);
        const share = waitingShare(before, clock.read(), bodiesMs);
        if (share !== undefined) log.values.waitingShare = share;
      } catch (error) {
        if (measured > 1) phase = `iteration ${log.count + 1} of ${measured}`;
        log.values.failure = { index: log.count, reason: fail(error) };
      } finally {
        clock.close();
        if (log.count > 0) endLoad();
        ofRun = await endOfRun();
      }
    } finally {
      const problem = await tearDown(target, { ctx, state, limits: setting.limits, startedAt: start });
      if (problem?.isHanging && outcome.status === "ok") outcome = failed("agent", problem.text);
      if (problem) warn(problem.text);
    }
  } catch (error) {
    fail(error);
  }
  // Only a run past its time is asked to end.
  if (signal.aborted && !isDelayed) outcome = timedOut(setting.limits.timeoutMs);
  if (measured > 1 && !hasOwnSeries) appendSteps(series, log);
  series?.close();
  const isTimed = instruments.some(({ instrument }) => instrument.name === "timing");
  if (Object.keys(ofRun).length > 0) log.values.ofRun = ofRun;
  const given = cleanMetrics(told, []);
  const metrics = { ...given, ...describeIterations(log.values, { isTimed, warn }), ...ofRun };
  const wallMs = performance.now() - start;
  const attempt: Attempt = { outcome, metrics, startedAtMs, wallMs, iterations: log.values };
  if (warnings.size > 0) attempt.warnings = [...warnings];
  if (Object.keys(labels).length > 0) attempt.labels = labels;
  if (log.costUsd !== undefined) attempt.costUsd = log.costUsd;
  return attempt;
}

interface Loop {
  target: Target;
  ctx: TargetContext;
  state: unknown;
  log: IterationLog;
  iterations: Calls;
  /** Of the body between two readings of the clock. */
  calls: number;
  instruments: BoundInstrument[];
  clock: ThreadClock;
}

/** Instruments start, the clock, the body, the clock, instruments end; nothing waits that need not. */
async function measure(loop: Loop): Promise<void> {
  const { target, ctx, state, log, iterations, calls, instruments, clock } = loop;
  const watch = new Stopwatch();
  const enough = new Enough(iterations);
  let lookedUp = performance.now();
  for (let i = 0; !enough.has(log.values.durationMs); i++) {
    ctx.iteration = i;
    let end: (() => Measured | Promise<Measured>) | undefined;
    if (instruments.length > 0) {
      const { outDir, warn } = ctx;
      const started = startInstruments(instruments, { outDir, pid: undefined, iteration: i, warn });
      end = started instanceof Promise ? await started : started;
    }
    clock.startBody();
    const answer = calls > 1 ? watch.timeBatch(target, ctx, state, calls) : watch.time(target, ctx, state);
    const raw = (answer instanceof Promise ? await answer : answer) ?? {};
    const { elapsedNs } = watch;
    const cpuMs = clock.endBody();
    if (cpuMs !== undefined) log.addCpu(cpuMs / calls);
    log.spend(raw, calls);
    if (end) {
      const given = end();
      log.add(elapsedNs / 1e6, { ...raw, ...(given instanceof Promise ? await given : given) });
    } else log.add(elapsedNs / 1e6, raw);
    if (performance.now() - lookedUp > LOOK_UP_MS) {
      await setImmediate();
      if (ctx.signal.aborted) return;
      lookedUp = performance.now();
    }
  }
}

function scoped(instruments: readonly BoundInstrument[], around: "iteration" | "run"): BoundInstrument[] {
  return instruments.filter(
    ({ instrument }) => instrument.name !== "timing" && (instrument.around ?? "iteration") === around,
  );
}

function appendSteps(series: SeriesFile | undefined, { values }: IterationLog): void {
  for (const [step, durationMs] of values.durationMs.entries()) {
    const line: Record<string, number> = { step, duration_ms: durationMs };
    if (values.cpuMs) line.cpu_ms = values.cpuMs[step]!;
    for (const [name, column] of Object.entries(values.metrics)) {
      if (typeof column[step] === "number") line[name] = column[step];
    }
    series?.append(line);
  }
}

/** How many calls of the body stand between two readings of the clock. */
export async function countCalls(
  batch: Batch | undefined,
  {
    target,
    ctx,
    state,
    log,
  }: { target: Target; ctx: TargetContext; state: unknown; log: Pick<IterationLog, "spend"> },
): Promise<number> {
  if (batch !== "auto") return batch ?? 1;
  const watch = new Stopwatch();
  // These are warm-up too.
  ctx.iteration = -1;
  let calls = 1;
  for (let enough = 0; enough < SURE && calls < MOST_CALLS; ) {
    log.spend(await watch.timeBatch(target, ctx, state, calls), calls);
    const elapsedNs = Math.max(1, watch.elapsedNs * calls);
    enough = elapsedNs >= ENOUGH_NS ? enough + 1 : 0;
    if (enough === 0) calls = Math.ceil(calls * Math.min(10, Math.max(1.2, ENOUGH_NS / elapsedNs)));
  }
  return Math.min(calls, MOST_CALLS);
}
