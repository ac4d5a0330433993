import type { SearchFindings } from "../../analysis/search/analyse-search.ts";
import { clipWorst } from "../../analysis/search/importance.ts";
import { lossOf } from "../../analysis/search/rank-points.ts";
import type { SearchPoint } from "../../analysis/search/search-points.ts";
import { paramsWords, valueWords } from "../../analysis/search/search-words.ts";
import type { MetricFacts } from "../../design/metric.ts";

/** What the charts of a search are made from. */
export interface SearchContext {
  study: string;
  found: SearchFindings;
  /** One for each objective. */
  metrics: readonly MetricFacts[];
}

/** What a reader sees of a point when pointing at it. */
export function tipOf(point: SearchPoint, found: SearchFindings): string {
  const values = found.objectives.map(({ metric }, k) =>
    point.values.length === 0 ? `${metric}: failed` : `${metric}: ${valueWords(point, k)}`,
  );
  const state = point.state === "ok" || point.state === "failed" ? "" : ` (${STATES[point.state]})`;
  return `${point.name}${state}: ${values.join(", ")}; ${paramsWords(point.params, found)}`;
}

const STATES = { stopped: "ended early", unfinished: "not done" };

/** Where values far worse than the others are cut off, in the metric's own direction. */
export function fenceOf(
  { points, objectives }: SearchFindings,
  k: number,
): { fence: number | null; notes: string[] } {
  const losses = points.flatMap(({ values }) =>
    values.length > 0 ? [lossOf(values[k]!, objectives[k]!)] : [],
  );
  const { clipped, fence } = clipWorst(losses);
  if (clipped === 0) return { fence: null, notes: [] };
  return {
    fence: lossOf(fence, objectives[k]!),
    notes: [
      `${clipped} point${clipped === 1 ? " that is" : "s that are"} far worse than the others ${clipped === 1 ? "is" : "are"} drawn at the edge.`,
    ],
  };
}
