import { expect, test } from "vitest";
import { readFiles } from "./read-files.ts";

const line = (instance_id: string, changes: Record<string, unknown>) =>
  JSON.stringify({
    instance_id,
    instruction: "Fix it.",
    metadata: { agent_class: "CodeActAgent", llm_config: { model: "acme/m" }, eval_output_dir: "out/1" },
    test_result: { git_patch: "" },
    metrics: { accumulated_cost: 0.5, accumulated_token_usage: { prompt_tokens: 9, completion_tokens: 1 } },
    error: null,
    ...changes,
  });

test("a line is a trial; one that was not graded has no score", () => {
  const report = (verdict: Record<string, boolean>) => ({ test_result: { git_patch: "x", report: verdict } });
  const lines = [
    line("a__a-1", report({ resolved: true })),
    line("a__a-2", report({ resolved: false })),
    line("a__a-3", report({ resolved: false, failed_apply_patch: true })),
    line("a__a-4", report({ resolved: false, error_eval: true })),
    line("a__a-5", { error: "the runtime died" }),
    line("a__a-6", {}),
    '{"instance_id": "a__a-7", "metad',
  ];
  const { trials, warnings } = readFiles({ "output.jsonl": lines.join("\n") });
  expect(trials.map(({ trial }) => [trial.outcome.owner, trial.metrics.score])).toEqual([
    [undefined, 1],
    [undefined, 0],
    ["agent", 0],
    ["grader", undefined],
    ["infrastructure", undefined],
    ["grader", undefined],
  ]);
  expect(trials[0]).toMatchObject({
    format: "openhands",
    trial: { agent: "CodeActAgent", model: "acme/m", costUsd: 0.5, metrics: { tokens_total: 10 } },
  });
  expect(warnings).toEqual([expect.stringMatching(/output\.jsonl: line 7: no valid JSON/)]);
});

test("verdicts in a file of their own belong to the output beside it, which names agent and model", () => {
  const verdict = (instance_id: string, resolved: boolean) =>
    JSON.stringify({ instance_id, test_result: { report: { resolved } } });
  const { trials } = readFiles({
    "test_output.jsonl": [line("a__a-1", {}), line("a__a-2", {}), line("a__a-3", {})].join("\n"),
    "test_output.swebench_eval.jsonl": [verdict("a__a-1", true), verdict("a__a-2", false)].join("\n"),
  });
  expect(trials.map(({ trial }) => [trial.task, trial.model, trial.metrics.score])).toEqual([
    ["a__a-1", "acme/m", 1],
    ["a__a-2", "acme/m", 0],
    ["a__a-3", "acme/m", undefined],
  ]);
});

test("exercises are graded by the exit code of their tests", () => {
  const { trials } = readFiles({
    "test_aider_output.jsonl": [
      line("one", { test_result: { exit_code: 0, test_cases: ".." } }),
      line("two", { test_result: { exit_code: 1, test_cases: ".F" } }),
    ].join("\n"),
  });
  expect(trials.map(({ trial }) => trial.metrics.score)).toEqual([1, 0]);
});
