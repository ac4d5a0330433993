import type { RunRecord } from "../../core/run.ts";
import type { Study } from "../../core/study.ts";
import { isAgentsFailure } from "./rollout-run.ts";

/** Metrics of a rollout that are 0 where the agent failed, and lie between 0 and 1. */
const SHARES = ["score", "solved"];

export function isRolloutStudy({ target }: Pick<Study, "target">): boolean {
  return target.kind === "shipped" && target.name === "rollout";
}

/** The least and the most that a metric of a rollout can be; undefined where nobody knows. */
export function shareRange(metric: string): [number, number] | undefined {
  return SHARES.includes(metric) || /^(rubric\/|judge\/score$)/.test(metric) ? [0, 1] : undefined;
}

/**
 * The records of a study as comparisons take them: a rollout that failed by the agent's fault has a score of 0, where
 * for other targets a failed run has no numbers.
 */
export function countFailures(study: Pick<Study, "target">, records: readonly RunRecord[]): RunRecord[] {
  if (!isRolloutStudy(study)) return [...records];
  return records.map((record) => {
    if (!isAgentsFailure(record)) return record;
    const zeros = Object.fromEntries(SHARES.map((name) => [name, 0]));
    return { ...record, outcome: { status: "ok" }, metrics: { ...record.metrics, ...zeros } };
  });
}
