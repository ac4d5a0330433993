import type { Metrics } from "../../core/run.ts";
import type { Rollout } from "./rollout.ts";

/** What a rollout came to, as far as it is known: a score that could not be found out is absent, never 0. */
export function rolloutMetrics({ work, change, grade }: Rollout): Metrics {
  const metrics: Metrics = {};
  if (change) Object.assign(metrics, { diff_lines: change.lines, changed_files: change.files.length });
  if (work) {
    const { tokensTotal, toolCalls } = work.usage;
    Object.assign(metrics, {
      agent_seconds: work.wallMs / 1000,
      tokens_total: tokensTotal,
      tool_calls: toolCalls,
      ...work.traffic,
    });
  }
  const judgeUsd = grade?.judgement ? grade.judgement.costUsd : 0;
  if (work) metrics.cost_usd = sum(work.usage.costUsd, judgeUsd);
  if (!grade) return metrics;
  metrics.grade_seconds = grade.wallMs / 1000;
  metrics.tests_total = grade.tests.length;
  metrics.tests_passed = grade.tests.filter(({ verdict }) => verdict === "passed").length;
  metrics.untested_rubrics = grade.rubrics.filter(({ tests }) => tests === 0).length;
  if (grade.score !== null) metrics.score = grade.score;
  if (grade.isSolved !== null) metrics.solved = grade.isSolved ? 1 : 0;
  if (grade.score !== null)
    for (const { id, score } of grade.rubrics) if (score !== null) metrics[`rubric/${id}`] = score;
  for (const [name, value] of Object.entries(grade.custom)) metrics[`custom/${name}`] = value;
  const { judgement } = grade;
  if (judgement) {
    if (judgement.score !== null) metrics["judge/score"] = judgement.score;
    if (judgement.sd !== null) metrics["judge/sd"] = judgement.sd;
    metrics["judge/repeats"] = judgement.repeats;
    metrics["judge/cost_usd"] = judgement.costUsd;
  }
  return metrics;
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
