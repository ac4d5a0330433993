import type { Findings } from "../analysis/findings.ts";
import type { CellSummary, Estimate } from "../analysis/summarise.ts";
import { numberText } from "../core/number-text.ts";
import { primaryMetrics, withoutStatistics } from "../design/metric.ts";

/** At most this many metrics beside the main one: a table, not a data dump; runs.csv has all. */
const MOST_METRICS = 6;

/** The cells as a table of text: axes, variant, runs, then mean (sd) of the first metrics. */
export function cellTable(findings: Findings): { header: string[]; rows: string[][] } {
  const { axisNames, cells } = findings;
  const hasVariants = new Set(cells.map((cell) => cell.variant)).size > 1;
  const metrics = chooseMetrics(findings);
  const header = [...axisNames, ...(hasVariants ? ["variant"] : []), "runs", "failed", ...metrics];
  const rows = cells.map((cell: CellSummary) => [
    ...cell.words,
    ...(hasVariants ? [cell.variant] : []),
    String(cell.runs),
    String(cell.failed),
    ...metrics.map((name) =>
      estimateText(Object.hasOwn(cell.metrics, name) ? cell.metrics[name] : undefined),
    ),
  ]);
  return { header, rows };
}

/** The study's own metric, then what the target calls its results, then the others. */
function chooseMetrics({ cells, metric, study: { metrics: infos = {} } }: Findings): string[] {
  const all = withoutStatistics([...new Set(cells.flatMap((cell) => Object.keys(cell.metrics)))], [metric]);
  const first = metric === null ? [] : [metric];
  return [...new Set([...first, ...primaryMetrics(all, infos), ...all])].slice(0, MOST_METRICS);
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function estimateText(estimate: Estimate | undefined): string {
  if (!estimate || estimate.mean === null) return "unknown";
  const spread = estimate.sd === null ? "" : ` (${numberText(estimate.sd)})`;
  return `${numberText(estimate.mean)}${spread}`;
}
