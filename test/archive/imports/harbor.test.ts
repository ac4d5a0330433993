import { expect, test } from "vitest";
import { readFiles } from "./read-files.ts";

const TRIAL = {
  id: "0b2c",
  task_name: "fix-login",
  trial_name: "fix-login__abc123",
  source: "our-tasks",
  task_checksum: "77",
  config: { agent: { name: "claude-code", model_name: "anthropic/sonnet" } },
  agent_info: { name: "claude-code", version: "2.1", model_info: { name: "sonnet", provider: "anthropic" } },
  agent_result: { n_input_tokens: 900, n_cache_tokens: 500, n_output_tokens: 100, cost_usd: 0.25 },
  verifier_result: { rewards: { reward: 1.0 } },
  exception_info: null,
  started_at: "2026-01-30T10:00:00.000000",
  finished_at: "2026-01-30T10:01:30.500000",
  agent_execution: { started_at: "2026-01-30T10:00:10", finished_at: "2026-01-30T10:01:10" },
  verifier: { started_at: "2026-01-30T10:01:10", finished_at: "2026-01-30T10:01:20" },
};

function one(changes: Record<string, unknown>) {
  const { trials } = readFiles({ "job/fix-login__abc123/result.json": { ...TRIAL, ...changes } });
  return trials[0]!.trial;
}

const exception = (type: string) => ({
  exception_type: type,
  exception_message: "it\n went wrong",
  exception_traceback: "",
  occurred_at: "2026-01-30T10:01:00",
});

test("a trial of a job becomes a graded trial with what it took", () => {
  const { trials, warnings } = readFiles({
    "job/config.json": { job_name: "job" },
    "job/result.json": { id: "9", n_total_trials: 1, stats: { n_trials: 1 } },
    "job/fix-login__abc123/config.json": { trial_name: "fix-login__abc123", task: { path: "x" } },
    "job/fix-login__abc123/result.json": TRIAL,
    "job/fix-login__abc123/agent/trajectory.json": { schema_version: "ATIF-v1.4" },
  });
  expect(warnings).toEqual([]);
  expect(trials).toHaveLength(1);
  expect(trials[0]).toMatchObject({
    format: "harbor",
    trial: {
      key: "0b2c",
      task: "fix-login",
      agent: "claude-code",
      model: "anthropic/sonnet",
      outcome: { status: "ok" },
      labels: { exit: "finished", job: "job", trial: "fix-login__abc123", agent_version: "2.1" },
      startedAtMs: Date.UTC(2026, 0, 30, 10),
      wallMs: 90_500,
      costUsd: 0.25,
    },
  });
  expect(trials[0]!.trial.metrics).toEqual({
    score: 1,
    solved: 1,
    cost_usd: 0.25,
    tokens_input: 900,
    tokens_cached: 500,
    tokens_output: 100,
    tokens_total: 1000,
    agent_seconds: 60,
    grade_seconds: 10,
  });
  expect(trials[0]!.trial.trajectory).toMatch(/agent\/trajectory\.json$/);
});

test("what a trial does not say stays unknown", () => {
  const { metrics, model } = one({ agent_info: { name: "nop" }, agent_result: null, config: {} });
  expect(model).toBeNull();
  expect(metrics).toEqual({ score: 1, solved: 1, agent_seconds: 60, grade_seconds: 10 });
});

test.each([
  ["EnvironmentStartTimeoutError", { status: "failed", owner: "infrastructure" }, undefined],
  ["AgentSetupTimeoutError", { status: "failed", owner: "infrastructure" }, undefined],
  ["SomethingNew", { status: "failed", owner: "infrastructure" }, undefined],
  ["RewardFileNotFoundError", { status: "failed", owner: "grader" }, undefined],
  ["VerifierTimeoutError", { status: "failed", owner: "grader" }, undefined],
  ["NonZeroAgentExitCodeError", { status: "failed", owner: "agent" }, 0],
  ["AgentTimeoutError", { status: "timeout", owner: "agent" }, 0],
  ["CancelledError", { status: "cancelled" }, undefined],
])("%s without a reward is not just a zero", (type, outcome, score) => {
  const trial = one({ verifier_result: null, exception_info: exception(type) });
  expect(trial.outcome).toMatchObject(outcome);
  expect(trial.outcome.reason).toBe(`${type}: it went wrong`);
  expect(trial.metrics.score).toBe(score);
  expect(trial.labels.exit).toBe(type);
});

test("an agent that ran out of time and was graded all the same has its grade", () => {
  const trial = one({
    verifier_result: { rewards: { reward: 0.5 } },
    exception_info: exception("AgentTimeoutError"),
  });
  expect(trial.outcome).toEqual({ status: "ok" });
  expect(trial.metrics).toMatchObject({ score: 0.5, solved: 0 });
  expect(trial.labels.exit).toBe("AgentTimeoutError");
});

test("a reward that only the tests' own file has counts", () => {
  const { trials } = readFiles({
    "job/t/result.json": { ...TRIAL, verifier_result: null },
    "job/t/verifier/reward.txt": "0.75\n",
  });
  expect(trials[0]!.trial.metrics.score).toBe(0.75);
});

test("several rewards without a main one are kept, and make no score", () => {
  const trial = one({ verifier_result: { rewards: { speed: 0.4, correct: 1 } } });
  expect(trial.outcome).toMatchObject({ status: "failed", owner: "grader" });
  expect(trial.metrics).toMatchObject({ "reward/speed": 0.4, "reward/correct": 1 });
  expect(trial.metrics.score).toBeUndefined();
});

test("broken and unfinished trials are one line each, with their file", () => {
  const { trials, warnings } = readFiles({
    "job/a/result.json": TRIAL,
    "job/b/config.json": { trial_name: "b", task: { path: "x" } },
    "job/b/result.json": '{"task_name": "fix',
    "job/c/config.json": { trial_name: "c", task: { path: "x" } },
  });
  expect(trials).toHaveLength(1);
  expect(warnings).toHaveLength(2);
  expect(warnings[0]).toMatch(/job\/b\/result\.json: no valid JSON, it looks cut off/);
  expect(warnings[1]).toMatch(/job\/c\/config\.json: the trial has no result\.json/);
});
