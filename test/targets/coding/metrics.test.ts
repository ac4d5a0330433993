import { describe, expect, test } from "vitest";
import type { Grade } from "../../../src/targets/coding/grading/grade.ts";
import { rolloutMetrics } from "../../../src/targets/coding/metrics.ts";
import type { Rollout } from "../../../src/targets/coding/rollout.ts";

const grade = (part: Partial<Grade> = {}): Grade => ({
  ...{ patch: "plain", score: 0.75, isSolved: false, custom: { speed: 9 }, wallMs: 500 },
  rubrics: [
    { id: "on", criterion: "", weight: 3, tests: 1, passed: 1, score: 1 },
    { id: "dim", criterion: "", weight: 1, tests: 0, passed: 0, score: null },
  ],
  tests: [],
  suspicions: [],
  warnings: [],
  ...part,
});
const rollout = (part: Partial<Rollout> = {}): Rollout => ({
  ...{ runId: "r", taskDir: "t", seed: 1, model: "", agent: "a", sandbox: "directory", startedAtMs: 0 },
  work: { exit: "0", exitCode: 0, wallMs: 2000, usage: { tokensTotal: 10, toolCalls: null, costUsd: 0.5 } },
  change: { patch: "x", lines: 4, files: ["a", "b"], warnings: [] },
  ...part,
});
const judgement = {
  ...{ score: 0.5, sd: 0.1, repeats: 3, rubrics: [], summary: "", costUsd: 0.25, warnings: [] },
};

describe("the metrics of a rollout", () => {
  test("say what it was worth and what it took", () => {
    expect(rolloutMetrics(rollout({ grade: grade({ judgement }) }))).toEqual({
      ...{ score: 0.75, solved: 0, tests_passed: 0, tests_total: 0, untested_rubrics: 1 },
      ...{ diff_lines: 4, changed_files: 2, agent_seconds: 2, grade_seconds: 0.5 },
      ...{ tokens_total: 10, tool_calls: null, cost_usd: 0.75, "rubric/on": 1, "custom/speed": 9 },
      ...{ "judge/score": 0.5, "judge/sd": 0.1, "judge/repeats": 3, "judge/cost_usd": 0.25 },
    });
  });

  test("have no score where there is none, and an unknown cost stays unknown", () => {
    const work = { ...rollout().work!, usage: { tokensTotal: null, toolCalls: null, costUsd: null } };
    const metrics = rolloutMetrics(
      rollout({ work, grade: grade({ score: null, isSolved: null, judgement }) }),
    );
    expect(metrics).not.toHaveProperty("score");
    expect(metrics).not.toHaveProperty("solved");
    expect(metrics).not.toHaveProperty("rubric/on");
    expect(metrics).toMatchObject({ cost_usd: null, "judge/cost_usd": 0.25 });
  });

  test("of a run that ended before its agent began are none", () => {
    const { work: _, change: __, ...bare } = rollout();
    expect(rolloutMetrics(bare)).toEqual({});
  });
});
