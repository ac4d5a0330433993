import type { AgentWork } from "../agents/agent.ts";
import type { Grade, TestResult } from "../grading/grade.ts";
import type { Rollout } from "../rollout.ts";

/** `evaluation_results.json`. The total stands at the top as well, where scripts look for it. Null is unknown. */
export function evaluationResults({ runId, task, work, change, grade }: Required<Graded>): object {
  const { score, problem, judgement, custom, suspicions, warnings } = grade;
  return {
    task_id: task.id,
    run_id: runId,
    total_score: score,
    evaluation: {
      rubrics: Object.fromEntries(grade.rubrics.map((rubric) => [rubric.id, rubricResult(rubric)])),
      total_score: score,
      max_score: 1,
    },
    test_results: Object.fromEntries(grade.tests.map((test) => [test.path, testResult(test)])),
    patch: grade.patch,
    diff_lines: change.lines,
    agent_metrics: agentMetrics(work),
    custom_metrics: custom,
    ...(judgement && {
      lm_evaluation: {
        weighted_score: judgement.score,
        rubric_scores: judgement.rubrics,
        summary: judgement.summary,
        repeats: judgement.repeats,
        sd: judgement.sd,
        cost_usd: judgement.costUsd,
      },
    }),
    ...(problem && { problem }),
    ...(suspicions.length > 0 && { suspicions }),
    ...(warnings.length > 0 && { warnings }),
  };
}

export type Graded = Pick<Rollout, "runId" | "task" | "work" | "change" | "grade">;

function rubricResult({ criterion, weight, score, tests, passed }: Grade["rubrics"][number]): object {
  return {
    criterion,
    weight,
    score,
    max_score: 1,
    weighted_score: score === null ? null : score * weight,
    test_count: tests,
    tests_passed: passed,
  };
}

/** A test that could not run neither passed nor failed. */
function testResult({ verdict, reason, exitCode, wallMs, output }: TestResult): object {
  return {
    success: verdict === "broken" ? null : verdict === "passed",
    verdict,
    reason,
    exit_code: exitCode,
    seconds: wallMs / 1000,
    output,
  };
}

function agentMetrics({ usage, wallMs, exit }: AgentWork): object {
  return {
    ...usage.others,
    tokens_total: usage.tokensTotal,
    tool_calls: usage.toolCalls,
    time_taken_seconds: wallMs / 1000,
    money_spent_usd: usage.costUsd,
    exit,
  };
}
