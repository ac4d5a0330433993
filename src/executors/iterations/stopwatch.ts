import type { Target, TargetContext, TargetMetrics } from "../../targets/target.ts";

type Answer = TargetMetrics | Promise<TargetMetrics>;

interface BatchCall {
  target: Target;
  ctx: TargetContext;
  state: unknown;
  calls: number;
}

const CALIBRATIONS = 501;
/** Enough for the loop to be compiled, as it is in a run that matters: some two milliseconds. */
const CALIBRATION_WARMUP = 20_000;

/**
 * Times a body and nothing else. `process.hrtime.bigint` is read, since here it costs a third less than
 * `performance.now` and counts whole nanoseconds however long the process has been up; numbers are made of it
 * after the second reading. A body that answers at once is not made to wait for a promise between the readings.
 */
export class Stopwatch {
  /** Of the body that was timed last. */
  elapsedNs = 0;
  /** What a body answered last. */
  kept: Answer | undefined;

  time(target: Target, ctx: TargetContext, state: unknown): Answer {
    const start = process.hrtime.bigint();
    const answer = target.run(ctx, state);
    if (answer instanceof Promise) return this.#timeRest(start, answer);
    const end = process.hrtime.bigint();
    this.elapsedNs = Number(end - start);
    return answer;
  }

  /** The mean of several calls between two readings: what reading the clock adds is shared by all of them. */
  timeBatch(target: Target, ctx: TargetContext, state: unknown, calls: number): Answer {
    const start = process.hrtime.bigint();
    const answer = target.run(ctx, state);
    if (answer instanceof Promise) return this.#batchRest(start, answer, { target, ctx, state, calls });
    this.kept = answer;
    // Kept, so that a body whose answer nobody needs is not optimised away.
    for (let i = 1; i < calls; i++) this.kept = target.run(ctx, state);
    const end = process.hrtime.bigint();
    this.elapsedNs = Number(end - start) / calls;
    return this.kept;
  }

  async #batchRest(start: bigint, first: Promise<TargetMetrics>, batch: BatchCall): Promise<TargetMetrics> {
    const { target, ctx, state, calls } = batch;
    let metrics = await first;
    for (let i = 1; i < calls; i++) metrics = await target.run(ctx, state);
    const end = process.hrtime.bigint();
    this.elapsedNs = Number(end - start) / calls;
    return metrics;
  }

  async #timeRest(start: bigint, answer: Promise<TargetMetrics>): Promise<TargetMetrics> {
    const metrics = await answer;
    const end = process.hrtime.bigint();
    this.elapsedNs = Number(end - start);
    return metrics;
  }
}

let known: number | undefined;

/** What the stopwatch says of a body that does nothing: the middle of many readings, taken once a thread. */
export function timingOverheadNs(): number {
  known ??= calibrate();
  return known;
}

function calibrate(): number {
  const watch = new Stopwatch();
  const nothing = {};
  const empty = { run: () => nothing } as unknown as Target;
  const ctx = {} as TargetContext;
  for (let i = 0; i < CALIBRATION_WARMUP; i++) watch.time(empty, ctx, undefined);
  const readings = new Float64Array(CALIBRATIONS);
  for (let i = 0; i < CALIBRATIONS; i++) {
    watch.time(empty, ctx, undefined);
    readings[i] = watch.elapsedNs;
  }
  return readings.sort()[(CALIBRATIONS - 1) / 2]!;
}
