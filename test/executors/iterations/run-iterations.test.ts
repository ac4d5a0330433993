import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { Setting } from "../../../src/core/executor.ts";
import type { Attempt } from "../../../src/core/run.ts";
import { Stopwatch, timingOverheadNs } from "../../../src/executors/iterations/stopwatch.ts";
import { runModule } from "../../../src/executors/run-module.ts";
import type { BoundInstrument, Instrument } from "../../../src/instruments/instrument.ts";
import { timing } from "../../../src/instruments/timing.ts";
import type { Target, TargetContext } from "../../../src/targets/target.ts";
import { aRun, aStudy } from "../../support/a-study.ts";

const { target: ref, limits } = aStudy();

function run(
  target: Partial<Target>,
  { instruments = [], ...part }: Partial<Omit<Setting, "instruments">> & { instruments?: Instrument[] } = {},
): Promise<Attempt> {
  const setting: Setting = {
    target: ref,
    studyDir: "/nowhere",
    baseDir: "/nowhere",
    artifacts: "none",
    limits,
    iterations: { warmup: 0, measured: 3 },
    instruments: [],
    plugins: [],
    env: {},
    jobs: 1,
    ...part,
  };
  return Promise.resolve(
    runModule({
      job: { run: aRun(), attempt: 1 },
      setting,
      target: { name: "t", params: z.object({}), run: () => ({}), ...target } as Target,
      instruments: instruments.map((instrument): BoundInstrument => ({ instrument, options: {} })),
      outDir: null,
      seriesPath: null,
      signal: new AbortController().signal,
    }),
  );
}

describe("a run with iterations", () => {
  test("sets up once, warms up, measures, tears down once, and hands the state on", async () => {
    const calls: string[] = [];
    const attempt = await run(
      {
        setup: () => ({ calls: 0 }),
        run: ({ iteration }: TargetContext, state: unknown) => {
          calls.push(`run ${iteration}`);
          return { value: ++(state as { calls: number }).calls };
        },
        teardown: (_: TargetContext, state: unknown) =>
          void calls.push(`teardown ${(state as { calls: number }).calls}`),
      },
      { iterations: { warmup: 2, measured: 2 } },
    );
    expect(calls).toEqual(["run -2", "run -1", "run 0", "run 1", "teardown 4"]);
    expect(attempt).toMatchObject({ outcome: { status: "ok" }, metrics: { value: 3.5 } });
    expect(attempt.iterations).toMatchObject({ warmup: 2, metrics: { value: [3, 4] } });
  });

  test("that throws in an iteration is failed there, keeps what it measured, and is torn down", async () => {
    let torn = 0;
    const attempt = await run({
      run: ({ iteration }: TargetContext) => {
        if (iteration === 2) throw new Error("boom");
        return { value: iteration };
      },
      teardown: () => void torn++,
    });
    expect(attempt).toMatchObject({
      outcome: { status: "failed", owner: "agent", reason: "iteration 3 of 3: boom" },
      metrics: { value: 0.5 },
      iterations: { failure: { index: 2, reason: "boom" }, metrics: { value: [0, 1] } },
    });
    expect(torn).toBe(1);
  });

  test("whose setup throws is failed, is not run, and has nothing to tear down", async () => {
    let calls = 0;
    const attempt = await run({
      setup: () => Promise.reject(new Error("no database")),
      run: () => ({ calls: ++calls }),
      teardown: () => void calls++,
    });
    expect(attempt.outcome).toEqual({
      status: "failed",
      owner: "agent",
      reason: "setup failed: no database",
    });
    expect(calls).toBe(0);
  });

  test("whose warm-up throws is failed and torn down", async () => {
    let torn = 0;
    const attempt = await run(
      { run: () => Promise.reject(new Error("cold")), teardown: () => void torn++ },
      { iterations: { warmup: 2, measured: 1 } },
    );
    expect(attempt.outcome.reason).toBe("warm-up iteration 1 of 2: cold");
    expect(torn).toBe(1);
  });

  test("whose teardown throws keeps its result, with a warning", async () => {
    const attempt = await run({
      run: () => ({ value: 1 }),
      teardown: () => {
        throw new Error("still locked");
      },
    });
    expect(attempt).toMatchObject({
      outcome: { status: "ok" },
      metrics: { value: 1 },
      warnings: ["teardown failed: still locked"],
    });
  });

  test("whose teardown never ends is failed and keeps its numbers", async () => {
    const attempt = await run(
      { run: () => ({ value: 1 }), teardown: () => new Promise<void>(() => {}) },
      { limits: { ...limits, timeoutMs: 1, graceMs: 10 } },
    );
    expect(attempt.outcome).toMatchObject({
      status: "failed",
      reason: expect.stringMatching(/^teardown still/),
    });
    expect(attempt.metrics).toEqual({ value: 1 });
  });

  test("ends between iterations when it is asked to, as late", async () => {
    const controller = new AbortController();
    controller.abort();
    let calls = 0;
    const attempt = await runModule({
      job: { run: aRun(), attempt: 1 },
      setting: {
        target: ref,
        studyDir: "/",
        baseDir: "/",
        artifacts: "none",
        limits: { ...limits, timeoutMs: 1000 },
        iterations: { warmup: 0, measured: 1_000_000 },
        instruments: [],
        plugins: [],
        env: {},
        jobs: 1,
      },
      target: {
        name: "t",
        params: z.object({}),
        run: async () => {
          await new Promise((resolve) => setTimeout(resolve, 20));
          return { calls: ++calls };
        },
      } as Target,
      instruments: [],
      outDir: null,
      seriesPath: null,
      signal: controller.signal,
    });
    expect(attempt.outcome).toEqual({ status: "timeout", owner: "agent", reason: "still running after 1 s" });
    expect(calls).toBeLessThan(20);
  });
});

describe("timing", () => {
  test("instruments start before the body and end after it, the last one nearest to it", async () => {
    const order: string[] = [];
    const named = (name: string): Instrument => ({
      name,
      description: "",
      start: () => {
        order.push(`start ${name}`);
        return async () => {
          order.push(`end ${name}`);
          return { [name]: 1 };
        };
      },
    });
    const attempt = await run(
      { run: () => ({ value: order.push("body") && 1 }) },
      { iterations: { warmup: 1, measured: 1 }, instruments: [timing, named("a"), named("b")] },
    );
    expect(order).toEqual(["body", "start a", "start b", "body", "end b", "end a"]);
    expect(attempt.metrics).toMatchObject({ value: 1, a: 1, b: 1, duration_ms: expect.any(Number) });
  });

  test("is of the body alone: what instruments take is not in it", async () => {
    const slow: Instrument = {
      name: "slow",
      description: "",
      start: async () => {
        await new Promise((resolve) => setTimeout(resolve, 30));
        return () => ({});
      },
    };
    const attempt = await run({ run: () => ({}) }, { instruments: [timing, slow] });
    // Had it been in one of them, it would be in all; a machine that is busy holds up a body now and then.
    expect(Math.min(...attempt.iterations!.durationMs)).toBeLessThan(20);
  });

  test("a body that answers at once is timed without waiting for a promise", () => {
    const watch = new Stopwatch();
    const answer = watch.time({ run: () => ({ a: 1 }) } as unknown as Target, {} as TargetContext, undefined);
    expect(answer).toEqual({ a: 1 });
    expect(watch.elapsedNs).toBeGreaterThan(0);
  });

  test("of an empty body is known, and below a microsecond", async () => {
    expect(timingOverheadNs()).toBeGreaterThan(0);
    expect(timingOverheadNs()).toBeLessThan(1000);
    expect((await run({ run: () => ({}) })).iterations!.overheadNs).toBe(timingOverheadNs());
  });

  test("an instrument that fails is a warning, and the rest is measured", async () => {
    const broken = (when: string): Instrument => ({
      name: when,
      description: "",
      start: () => {
        if (when === "start") throw new Error("no counter");
        return () => Promise.reject(new Error("gone"));
      },
    });
    const attempt = await run(
      { run: () => ({ value: 1 }) },
      { instruments: [broken("start"), broken("end")] },
    );
    expect(attempt).toMatchObject({
      outcome: { status: "ok" },
      metrics: { value: 1 },
      warnings: ["instrument start failed: no counter", "instrument end failed: gone"],
    });
  });
});

test.runIf(process.platform === "linux")(
  "the processor time of a long body is in its record, that of a short one is not",
  async () => {
    const burn = () => {
      const start = process.cpuUsage();
      let used = 0;
      while (used < 5000) {
        const { user, system } = process.cpuUsage(start);
        used = user + system;
      }
      return {};
    };
    const long = await run({ run: burn }, { instruments: [timing] });
    expect(long.iterations!.cpuMs).toHaveLength(3);
    expect(long.metrics.cpu_ms).toBeGreaterThan(1);
    expect(long.metrics.cpu_ms!).toBeLessThanOrEqual(long.metrics.duration_ms! + 1);
    const short = await run({}, { instruments: [timing] });
    expect(short.metrics).not.toHaveProperty("cpu_ms");
  },
);
