import type { MetricInfo, MetricInfos, Metrics } from "../../core/run.ts";
import type { Rollout } from "./rollout.ts";

const SHARE = { range: [0, 1] } as const;
/** A patch that is not there solves nothing. */
const RESULT = { ...SHARE, failure: "worst", primary: true } as const;

/** Beside these there is `custom/<name>`, what the task itself measures. */
export const metricInfos: MetricInfos = {
  score: {
    ...info("", "maximize", "weighted share of the rubrics' tests that passed, or the reward; 0 to 1"),
    ...RESULT,
  },
  solved: { ...info("", "maximize", "1 where every tested rubric is full, or the reward is 1"), ...RESULT },
  "rubric/*": { ...info("", "maximize", "a rubric's score"), ...SHARE },
  tests_passed: info("tests", "maximize", "test scripts that passed"),
  tests_total: info("tests", "none", "test scripts of the task"),
  untested_rubrics: info("rubrics", "none", "rubrics that no test is about, left out of the score"),
  diff_lines: info("lines", "none", "added and removed lines"),
  changed_files: info("files", "none", "files that the agent changed"),
  agent_seconds: info("s", "minimize", "time that the agent took"),
  grade_seconds: info("s", "none", "time that grading took"),
  tokens_total: info("tokens", "minimize", "tokens of the agent, in and out; unknown where it does not tell"),
  tool_calls: info("calls", "none", "tools that the agent called; unknown where it does not tell"),
  tokens_input: info("tokens", "minimize", "prompt tokens that were not cached, by the gateway"),
  tokens_cached: info("tokens", "none", "prompt tokens from the provider's cache, by the gateway"),
  tokens_output: info("tokens", "minimize", "tokens of answers, reasoning included, by the gateway"),
  tokens_reasoning: info("tokens", "none", "tokens of answers that are reasoning, by the gateway"),
  model_calls: info("calls", "minimize", "calls to models, by the gateway"),
  failed_calls: info("calls", "minimize", "calls to models that got no answer, by the gateway"),
  retried_calls: info(
    "calls",
    "minimize",
    "calls after one to the same model that got no answer, by the gateway",
  ),
  model_seconds: info("s", "minimize", "time of all calls to models together, by the gateway"),
  first_token_seconds: info("s", "minimize", "mean time to the first token of an answer, by the gateway"),
  cost_usd: info(
    "USD",
    "minimize",
    "cost of the agent and of the judge; unknown where the agent does not tell",
  ),
  "judge/score": {
    ...info("", "maximize", "what the judge says: the weighted mean over rubrics and repeats"),
    ...SHARE,
  },
  "judge/sd": info("", "none", "standard deviation of the judge between repeats on the same patch"),
  "judge/repeats": info("answers", "none", "judgements that could be used"),
  "judge/cost_usd": info("USD", "minimize", "cost of the judge alone"),
};

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

function info(unit: string, direction: MetricInfo["direction"], description: string): MetricInfo {
  return { unit, direction, description };
}
