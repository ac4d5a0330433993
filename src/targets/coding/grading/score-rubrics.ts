import type { Grading } from "../tasks/task.ts";
import type { Grade, RubricGrade, TestResult } from "./grade.ts";

type Score = Pick<Grade, "score" | "isSolved" | "rubrics" | "warnings">;

/**
 * A rubric's score is the share of its tests that passed, or the reward; the total weighs the rubrics that are tested.
 * Tests of no rubric count alone where no rubric is tested.
 */
export function scoreRubrics(
  { rubrics }: Grading,
  tests: readonly TestResult[],
  reward: number | null,
): Score {
  const warnings: string[] = [];
  const graded = rubrics.map(({ id, criterion, weight }): RubricGrade => {
    const own = tests.filter(({ rubricId }) => rubricId === id);
    const passed = own.filter(({ verdict }) => verdict === "passed").length;
    const score = own.length === 0 ? null : (reward ?? passed / own.length);
    return { id, criterion, weight, tests: own.length, passed, score };
  });
  const tested = graded.filter(({ score }) => score !== null);
  if (tested.length === 0) {
    const score = tests.length === 0 ? null : (reward ?? shareOf(tests));
    return { score, isSolved: score === null ? null : score >= 1, rubrics: graded, warnings };
  }
  const untested = graded.filter(({ score }) => score === null);
  if (untested.length > 0)
    warnings.push(`no test is about ${untested.map(({ id }) => id).join(", ")}: left out of the score`);
  const weights = tested.reduce((sum, { weight }) => sum + weight, 0);
  const isWeighed = weights > 0 && tested.every(({ weight }) => weight >= 0);
  if (!isWeighed)
    warnings.push("the weights of the tested rubrics don't add up to more than 0: there is no score");
  return {
    score: isWeighed ? tested.reduce((sum, { score, weight }) => sum + score! * weight, 0) / weights : null,
    isSolved: isWeighed ? tested.every(({ score }) => score! >= 1) : null,
    rubrics: graded,
    warnings,
  };
}

function shareOf(tests: readonly TestResult[]): number {
  return tests.filter(({ verdict }) => verdict === "passed").length / tests.length;
}
