import { expect, test } from "vitest";
import { readFiles } from "./read-files.ts";

const METADATA = { run_id: "run-7", agent_name: "terminus", model_name: "openai/gpt", dataset_name: "core" };
const TRIAL = {
  id: "a1",
  trial_name: "hello.2-of-3.run-7",
  task_id: "hello",
  instruction: "Say hello.",
  is_resolved: true,
  failure_mode: "unset",
  parser_results: { test_file: "passed", test_content: "failed" },
  total_input_tokens: 30,
  total_output_tokens: 12,
  trial_started_at: "2025-09-05T23:33:51.941797+00:00",
  trial_ended_at: "2025-09-05T23:34:01.941797+00:00",
  agent_started_at: "2025-09-05T23:33:52.000000+00:00",
  agent_ended_at: "2025-09-05T23:33:54.500000+00:00",
};

function one(changes: Record<string, unknown>) {
  return readFiles({ "run-7/hello/t/results.json": { ...TRIAL, ...changes } }).trials[0]!.trial;
}

test("a trial knows its run's agent and model, its number and its tests", () => {
  const { trials, warnings } = readFiles({
    "run-7/run_metadata.json": METADATA,
    "run-7/results.json": { id: "r", results: [TRIAL], accuracy: 1 },
    "run-7/hello/hello.2-of-3.run-7/results.json": TRIAL,
  });
  expect(warnings).toEqual([]);
  expect(trials).toHaveLength(1);
  expect(trials[0]!.trial).toEqual({
    key: "a1",
    task: "hello",
    agent: "terminus",
    model: "openai/gpt",
    rollout: 2,
    outcome: { status: "ok" },
    metrics: {
      score: 1,
      solved: 1,
      tests_total: 2,
      tests_passed: 1,
      tokens_input: 30,
      tokens_output: 12,
      tokens_total: 42,
      agent_seconds: 2.5,
    },
    labels: { exit: "unset", job: "run-7", trial: "hello.2-of-3.run-7", dataset: "core" },
    startedAtMs: Date.UTC(2025, 8, 5, 23, 33, 51, 941),
    wallMs: 10_000,
  });
});

test("a run's own list counts where the trials' files are not there", () => {
  const { trials, warnings } = readFiles({
    "run-7/run_metadata.json": METADATA,
    "run-7/results.json": { results: [TRIAL, { ...TRIAL, id: "a2", task_id: "bye", is_resolved: false }, 5] },
  });
  expect(trials.map(({ trial }) => [trial.task, trial.metrics.score])).toEqual([
    ["hello", 1],
    ["bye", 0],
  ]);
  expect(warnings).toEqual([expect.stringMatching(/run-7\/results\.json: results\[2\]: no trial/)]);
});

test.each([
  ["agent_timeout", false, "ok", undefined, 0],
  ["agent_timeout", null, "timeout", "agent", 0],
  ["unknown_agent_error", null, "failed", "agent", 0],
  ["context_length_exceeded", false, "ok", undefined, 0],
  ["agent_installation_failed", false, "failed", "infrastructure", undefined],
  ["test_timeout", false, "failed", "grader", undefined],
  ["parse_error", null, "failed", "grader", undefined],
  ["unset", null, "failed", "infrastructure", undefined],
])("%s with is_resolved %s is %s of %s", (failure_mode, is_resolved, status, owner, score) => {
  const { outcome, metrics } = one({ failure_mode, is_resolved });
  expect([outcome.status, outcome.owner, metrics.score]).toEqual([status, owner, score]);
});

test("systems of which no model is named are told apart by their folders, and that is said", () => {
  const bare = { run_id: "r", agent_name: "droid" };
  const { trials, warnings } = readFiles(
    Object.fromEntries(
      ["droid-opus", "droid-gpt", "droid-sonnet"].flatMap((name) => [
        [`${name}/run_metadata.json`, bare],
        [`${name}/results.json`, { results: [{ ...TRIAL, id: name }] }],
      ]),
    ),
  );
  expect(trials.map(({ trial }) => [trial.agent, trial.model]).sort()).toEqual([
    ["droid", "droid-gpt"],
    ["droid", "droid-opus"],
    ["droid", "droid-sonnet"],
  ]);
  expect(warnings.join(" ")).toContain("these folders stand for it");
});

test("one folder without a model stays one system whose model is unknown", () => {
  const { trials } = readFiles({
    "run-7/run_metadata.json": { run_id: "r", agent_name: "droid" },
    "run-7/results.json": { results: [TRIAL, { ...TRIAL, id: "a2", task_id: "bye" }] },
  });
  expect(trials.map(({ trial }) => trial.model)).toEqual([null, null]);
});

test("submissions of a leaderboard name agent and model where their runs don't, however deep they lie", () => {
  const droid = { run_id: "r", agent_name: "Droid", dataset_name: "core" };
  const { trials, warnings } = readFiles({
    "results/core/20250923_droid_claude-opus/run-1/run_metadata.json": { ...droid, run_id: "run-1" },
    "results/core/20250923_droid_claude-opus/run-1/hello/t/results.json": TRIAL,
    "results/core/20250924_droid_gpt-5/run-1/run_metadata.json": { ...droid, run_id: "run-1" },
    "results/core/20250924_droid_gpt-5/run-1/hello/t/results.json": { ...TRIAL, id: "b1" },
    "results/core/20250811_cursor-cli_claude-4-sonnet/run1/hello/t/results.json": { ...TRIAL, id: "c1" },
    "results/core/20250829_goose_claude-4-opus/2025-08-27_results.json": {
      results: [{ ...TRIAL, id: "d1" }],
    },
  });
  expect(warnings).toEqual([]);
  expect(trials.map(({ trial }) => [trial.agent, trial.model]).sort()).toEqual([
    ["Droid", "claude-opus"],
    ["Droid", "gpt-5"],
    ["cursor-cli", "claude-4-sonnet"],
    ["goose", "claude-4-opus"],
  ]);
  expect(trials.map(({ trial }) => trial.labels.job)).toContain("run-7");
});

test("--by folder makes a system of each folder, whatever its files say, even of copies", () => {
  const files = { "a/results.json": { results: [TRIAL] }, "b/results.json": { results: [TRIAL] } };
  const { trials, warnings } = readFiles(files, { by: "folder" });
  expect(warnings).toEqual([]);
  expect(trials.map(({ trial }) => trial.params)).toEqual([
    { agent: "unknown", model: "unknown", system: "a" },
    { agent: "unknown", model: "unknown", system: "b" },
  ]);
});
