import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { Setting } from "../../src/core/executor.ts";
import { Delayed, RunFailure } from "../../src/core/run.ts";
import { runModule } from "../../src/executors/run-module.ts";
import { defineTarget, type Target } from "../../src/targets/target.ts";
import { aRun, aStudy } from "../support/a-study.ts";

const study = aStudy();
const setting: Setting = {
  target: study.target,
  studyDir: "/nowhere",
  baseDir: ".",
  artifacts: "none",
  limits: study.limits,
  iterations: study.iterations,
  instruments: [],
  plugins: [],
  env: {},
  jobs: 1,
};

const broken = defineTarget({
  name: "broken",
  params: z.object({}),
  run(ctx) {
    ctx.label?.("exit_status", "exit_api");
    throw new RunFailure("infrastructure", "the server is gone", { cost_usd: 0.5, total_turns: 3 });
  },
});

describe("a target that says whose fault its failure is", () => {
  test.each([
    ["called once", study.iterations],
    ["with iterations", { warmup: 0, measured: 2 }],
  ])("keeps owner, cost and metrics, %s", async (_, iterations) => {
    const attempt = await runModule({
      job: { run: aRun(), attempt: 1 },
      setting: { ...setting, iterations },
      target: broken as unknown as Target,
      instruments: [],
      outDir: null,
      seriesPath: null,
      signal: new AbortController().signal,
    });
    expect(attempt.outcome).toMatchObject({ status: "failed", owner: "infrastructure" });
    expect(attempt.outcome.reason).toContain("the server is gone");
    expect(attempt.costUsd).toBe(0.5);
    expect(attempt.labels).toEqual({ exit_status: "exit_api" });
    expect(attempt.metrics).toEqual({ cost_usd: 0.5, total_turns: 3 });
  });

  test.each([
    ["called once, waited for others", study.iterations, Delayed, "infrastructure"],
    ["with iterations, waited for others", { warmup: 0, measured: 2 }, Delayed, "infrastructure"],
    ["called once, says anything else", study.iterations, RunFailure, "agent"],
  ] as const)("past its time is late by whose fault it is: %s", async (_, iterations, Failure, owner) => {
    const late = defineTarget({
      name: "late",
      params: z.object({}),
      run() {
        throw new Failure("infrastructure", "it waited");
      },
    });
    const attempt = await runModule({
      job: { run: aRun(), attempt: 1 },
      setting: { ...setting, iterations },
      target: late as unknown as Target,
      ...{ instruments: [], outDir: null, seriesPath: null, signal: AbortSignal.abort() },
    });
    expect(attempt.outcome.owner).toBe(owner);
    expect(attempt.outcome.status).toBe(Failure === Delayed ? "failed" : "timeout");
  });
});
