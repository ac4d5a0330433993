import { describe, expect, test } from "vitest";
import { exitWith } from "../../../src/targets/agent/exit.ts";
import { Ledger } from "../../../src/targets/agent/ledger.ts";
import { metricInfos } from "../../../src/targets/agent/metric-infos.ts";
import { StepSeries } from "../../../src/targets/agent/step-series.ts";
import { type Scored, totalMetrics } from "../../../src/targets/agent/total-metrics.ts";
import type { Step } from "../../../src/targets/agent/turns.ts";

const usage = { input: 100, cached: 300, output: 20, reasoning: 5 };

function aStep(turn: number): Step {
  return {
    turn,
    thought: "",
    action: "",
    observation: "",
    usage,
    costUsd: 0.5,
    summaryCostUsd: 0,
    modelMs: 10,
    toolMs: 4,
    masked: 0,
    promptTokens: 400,
  };
}

function scored(
  exitStatus: string,
  { turns = 2, isSolved = false, submission = null as string | null } = {},
): Scored {
  const ledger = new Ledger();
  for (let i = 0; i < turns; i++) ledger.add("agent", { usage, costUsd: 0.5, wallMs: 10 });
  ledger.add("summary", { usage: { input: 50, cached: 0, output: 10, reasoning: 0 }, costUsd: 1, wallMs: 5 });
  return {
    instance: "x",
    exitStatus,
    exit: exitWith("submitted", ""),
    submission,
    steps: Array.from({ length: turns }, (_, i) => aStep(i + 1)),
    messages: [],
    warnings: [],
    ledger,
    wallMs: 1,
    isSolved,
    report: "",
  };
}

describe("what a run comes to", () => {
  const metrics = totalMetrics([
    scored("submitted", { isSolved: true, submission: "patch" }),
    scored("submitted", { submission: "" }),
    scored("submitted (exit_cost_calls)", { submission: "patch", turns: 4 }),
    scored("exit_context"),
  ]);

  test("counts instances, submissions of every kind, and empty ones apart", () => {
    expect(metrics).toMatchObject({
      n_instances: 4,
      n_submitted: 3,
      n_solved: 1,
      n_empty_patches: 1,
      solve_rate: 0.25,
      submission_rate: 0.75,
    });
  });

  test("sorts exits by the actual reason", () => {
    expect(metrics).toMatchObject({
      "exit/submitted": 2,
      "exit/exit_cost": 1,
      "exit/exit_context": 1,
      "exit/exit_format": 0,
      "exit/other": 0,
    });
  });

  test("keeps the summariser's costs, calls and tokens apart from the agent's", () => {
    // Ten turns at 0.5 and four summaries at 1.
    expect(metrics).toMatchObject({
      total_cost: 9,
      cost_usd: 9,
      total_agent_cost: 5,
      total_summary_cost: 4,
      total_rloop_cost: 0,
      summary_cost_fraction: 4 / 9,
      total_api_calls: 10,
      total_summary_api_calls: 4,
      summary_api_fraction: 4 / 14,
      avg_cost: 9 / 4,
      avg_turns: 2.5,
      total_raw_input_tokens: 1000,
      total_cached_input_tokens: 3000,
      total_summary_raw_input_tokens: 200,
      cache_hit_rate: 0.75,
      avg_tokens_per_turn: 400,
    });
  });

  test("is declared in full, with units", () => {
    for (const name of Object.keys(metrics)) expect(metricInfos, name).toHaveProperty([name]);
  });
});

test("series tell each turn, the instance and the run, and the instance starts anew", () => {
  const lines: Record<string, number>[] = [];
  const series = new StepSeries((values) => lines.push(values));
  series.startInstance();
  series.add(aStep(1));
  series.add(aStep(2));
  series.startInstance();
  series.add({ ...aStep(1), costUsd: null });
  expect(lines[1]).toMatchObject({
    step: 2,
    global_step: 2,
    "instance/step": 2,
    "step/cost": 0.5,
    "step/tokens_in": 400,
    "step/cache_hit_rate": 0.75,
    "instance/cost": 1,
    "cumulative/tokens_out": 40,
    "instance/api_calls": 2,
  });
  expect(lines[2]).toMatchObject({
    step: 3,
    "instance/step": 1,
    "instance/api_calls": 1,
    "cumulative/api_calls": 3,
  });
  // A price that is unknown makes every sum unknown that it is part of.
  expect(lines[2]).not.toHaveProperty(["step/cost"]);
  expect(lines[2]).not.toHaveProperty(["cumulative/cost"]);
  for (const name of Object.keys(lines[0]!))
    if (name !== "step") expect(metricInfos, name).toHaveProperty([name]);
});
