import { exitCategory, isSubmitted } from "../../core/exit-category.ts";
import { INSTANCE_SUMS, type InstanceRow } from "../../core/instance.ts";
import { isFailure, type RunRecord } from "../../core/run.ts";

/** The columns that are metrics of the run, under the metric's name. */
const COLUMNS = {
  ...INSTANCE_SUMS,
  cache_hit_rate: "cache_hit_rate",
  review_score: "review_score",
} as const;

/** A run of one instance as a row of the table; a run that failed has what it told before. */
export function instanceRow({ task, metrics, labels, outcome }: RunRecord): InstanceRow {
  const status = labels?.exit_status ?? null;
  const isMeasured = !isFailure(outcome);
  const values = Object.fromEntries(
    Object.entries(COLUMNS).map(([column, metric]) => [column, metrics[metric] ?? null]),
  ) as Record<keyof typeof COLUMNS, number | null>;
  return {
    instance_id: task,
    exit_status: status,
    exit_category: exitCategory(status ?? (isMeasured ? null : "exit_error")),
    submitted: isSubmitted(status),
    solved: isMeasured && typeof metrics.n_solved === "number" ? metrics.n_solved > 0 : null,
    ...values,
  };
}
