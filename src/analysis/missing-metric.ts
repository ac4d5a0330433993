import { suggestion } from "../core/suggest.ts";
import type { CellSummary } from "./summarise.ts";

const HOW =
  "a program writes metrics.json or summary.csv to $ASSAY_OUT_DIR, or prints them and target.metrics has a pattern for each; a module returns them.";

/** What to say when the metric that a study is about is not there; undefined when it is. */
export function missingMetric(
  cells: readonly CellSummary[],
  metric: string | null | undefined,
): string | undefined {
  const names = new Set(cells.flatMap((cell) => Object.keys(cell.metrics)));
  if (cells.every((cell) => cell.runs === cell.failed)) return undefined;
  if (metric !== null && metric !== undefined) {
    if (names.has(metric)) return undefined;
    const remedy = names.size === 0 ? `It reports no metric at all: ${HOW}` : suggestion(metric, names);
    return `No run has the metric "${metric}". ${remedy}`;
  }
  return names.size === 0 ? `The runs report no metrics: ${HOW}` : undefined;
}
