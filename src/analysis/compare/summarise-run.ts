import {
  areaUnderCurve,
  type Curve,
  curveWindow,
  known,
  type Result,
  type Value,
} from "../../stats/index.ts";
import { type SummaryOptions, summariseCurve } from "../curve-summary.ts";

export const SUMMARIES = ["auc", "last_n", "final", "mean", "max", "slope"] as const;

export type RunSummary = Omit<SummaryOptions, "summary"> & { summary: (typeof SUMMARIES)[number] };

/** One number of a run's curve: what curve-summary knows, and the mean height and the peak of its window. */
export function summariseRun(curve: Curve, { summary, ...options }: RunSummary): Result<Value> {
  if (summary !== "mean" && summary !== "max") return summariseCurve(curve, { summary, ...options });
  const { from, to, share, end } = options;
  const window = {
    ...(from !== undefined ? { from } : {}),
    ...(to !== undefined ? { to } : {}),
    ...(share !== undefined ? { share } : {}),
    ...(end !== undefined ? { end } : {}),
  };
  if (summary === "mean") {
    const area = areaUnderCurve(curve.steps, curve.values, window);
    return area.known ? known({ value: area.mean }) : area;
  }
  const cut = curveWindow(curve.steps, curve.values, window);
  return cut.known ? known({ value: cut.values.reduce((a, b) => Math.max(a, b)) }) : cut;
}
