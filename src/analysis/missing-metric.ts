import { suggestion } from "../core/suggest.ts";
import type { CellSummary } from "./summarise.ts";

/** What to say when the metric that a study is about is not there; undefined when it is. */
export function missingMetric(
  cells: readonly CellSummary[],
  metric: string | null | undefined,
): string | undefined {
  const names = new Set(cells.flatMap((cell) => Object.keys(cell.metrics)));
  if (cells.every((cell) => cell.runs === cell.failed)) return undefined;
  if (names.size === 0) {
    return "The runs report no metrics: a program writes summary.csv or metrics.json to $ASSAY_OUT_DIR, a module returns them.";
  }
  if (metric === null || metric === undefined || names.has(metric)) return undefined;
  return `No run has the metric "${metric}". ${suggestion(metric, names)}`;
}
