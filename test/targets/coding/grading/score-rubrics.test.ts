import { describe, expect, test } from "vitest";
import type { TestResult } from "../../../../src/targets/coding/grading/grade.ts";
import { scoreRubrics } from "../../../../src/targets/coding/grading/score-rubrics.ts";
import { aTask } from "../../../support/an-agent-job.ts";

const rubric = (id: string, weight: number) => ({ id, criterion: `about ${id}`, weight });
const ran = (rubricId: string | null, verdict: TestResult["verdict"]): TestResult => ({
  ...{ path: `${rubricId}.sh`, rubricId, verdict },
  ...{ reason: "", exitCode: 0, wallMs: 1, output: "" },
});
const grading = (...rubrics: object[]) => aTask({ grading: { rubrics } }).grading;

describe("the score", () => {
  test("weighs the share of passed tests of each rubric", () => {
    const { score, isSolved, rubrics } = scoreRubrics(
      grading(rubric("a", 3), rubric("b", 1)),
      [ran("a", "passed"), ran("a", "failed"), ran("b", "passed")],
      null,
    );
    expect(score).toBeCloseTo((0.5 * 3 + 1 * 1) / 4);
    expect(isSolved).toBe(false);
    expect(rubrics).toMatchObject([
      { id: "a", tests: 2, passed: 1, score: 0.5 },
      { id: "b", score: 1 },
    ]);
  });

  test("leaves a rubric without tests out of the weights, and says so", () => {
    const { score, isSolved, warnings } = scoreRubrics(
      grading(rubric("a", 1), rubric("b", 9)),
      [ran("a", "passed")],
      null,
    );
    expect([score, isSolved]).toEqual([1, true]);
    expect(warnings).toEqual(["no test is about b: left out of the score"]);
  });

  test("counts tests without rubrics alone, and not beside rubrics that are tested", () => {
    expect(scoreRubrics(grading(), [ran(null, "passed"), ran(null, "failed")], null).score).toBe(0.5);
    const mixed = scoreRubrics(grading(rubric("a", 1)), [ran("a", "passed"), ran(null, "failed")], null);
    expect(mixed.score).toBe(1);
  });

  test("is the reward where there is one", () => {
    const { score, isSolved } = scoreRubrics(grading(rubric("a", 1)), [ran("a", "failed")], 0.25);
    expect([score, isSolved]).toEqual([0.25, false]);
  });

  test("is unknown without tests or with weights that say nothing", () => {
    expect(scoreRubrics(grading(rubric("a", 1)), [], null)).toMatchObject({ score: null, isSolved: null });
    expect(scoreRubrics(grading(rubric("a", 0)), [ran("a", "passed")], null).score).toBeNull();
    const negative = scoreRubrics(
      grading(rubric("a", 2), rubric("b", -1)),
      [ran("a", "passed"), ran("b", "failed")],
      null,
    );
    expect(negative.score).toBeNull();
  });
});
