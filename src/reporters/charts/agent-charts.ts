import { facetEstimates } from "../../analysis/facet-estimates.ts";
import type { MetricFacts } from "../../design/metric.ts";
import type { StackChart } from "../../plots/chart.ts";
import type { ChartView } from "../study-view.ts";
import { type ChartContext, canShare, settingOf, short, shownArms } from "./chart-context.ts";
import { find, metricByArm } from "./metric-charts.ts";

const EXIT_LABEL = /^exit(_?(reason|status))?$/i;
/** A sum over a run is a part of what it spent; any other summary would be counted twice. */
const TOTAL = /^total_/i;
const SUMMARY = /(^|_|\/)(mean|avg|median|min|max|p\d+|total|sum|per_\w+|limit|budget)(_|$)/i;

/** How agents ended, how long they took, and what they spent it on; of what the metrics' names tell. */
export function agentCharts(context: ChartContext): ChartView[] {
  const turns = context.metrics.find(({ name }) => /^((total_)?turns|steps_taken)$/i.test(name));
  return [
    ...exitsOf(context),
    ...(turns && turns.name !== context.metric?.name ? metricByArm(context, turns) : []),
    ...splitOf(context, "tokens", /^tokens[_/](?!total$)|^total_(raw_input|cached_input|output)_tokens$/i),
    ...splitOf(context, "cost", /^cost[_/].+_usd$|^cost\/|^total_(agent|summary|rloop)_cost$/i),
  ];
}

/** From metrics `exit/<how>` (0 or 1, or counts), else from the label `exit`. */
function exitsOf(context: ChartContext): ChartView[] {
  const { design, metrics } = context;
  const isSeen = (name: string) => design.runs.some(({ record }) => (record.metrics[name] ?? 0) !== 0);
  const named = metrics.filter(({ name }) => /^exits?\//i.test(name) && isSeen(name));
  if (named.length > 0) {
    const series = named.map(({ name }) => name.slice(name.indexOf("/") + 1));
    const means = named.map((metric) => facetEstimates(design, metric).groups);
    return stackOf(
      context,
      { id: "exits", what: "How runs ended", series, xLabel: "share of runs (%)", isShare: true },
      (facet, arm) => shares(means.map((groups) => mean(find(groups, facet, arm)?.values ?? []))),
    );
  }
  const key = design.runs
    .flatMap(({ record }) => Object.keys(record.labels ?? {}))
    .find((name) => EXIT_LABEL.test(name));
  if (key === undefined) return [];
  const own = design.runs.filter(({ record }) => record.labels?.[key] !== undefined);
  const series = [...new Set(own.map(({ record }) => record.labels![key]!))].slice(0, 12);
  return stackOf(
    context,
    { id: "exits", what: "How runs ended", series, xLabel: "share of runs (%)", isShare: true },
    (facet, arm) =>
      shares(
        series.map(
          (word) =>
            own.filter((run) => run.record.labels![key] === word && run.facet === facet && run.arm === arm)
              .length,
        ),
      ),
  );
}

function splitOf(context: ChartContext, what: "tokens" | "cost", pattern: RegExp): ChartView[] {
  const parts: MetricFacts[] = context.metrics.filter(
    ({ name }) => pattern.test(name) && !SUMMARY.test(name.replace(TOTAL, "")),
  );
  if (parts.length < 2) return [];
  const groups = parts.map((metric) => facetEstimates(context.design, metric).groups);
  const series = parts.map(({ name }) =>
    name.replace(/^(tokens|cost|total)[_/]/i, "").replace(/_(usd|tokens|cost)$/i, ""),
  );
  const unit = what === "tokens" ? "count" : (parts[0]!.unit ?? "unit not declared");
  return stackOf(
    context,
    {
      ...{
        id: `${what}_split`,
        what: `${what === "tokens" ? "Tokens" : "Cost"} of a run`,
        series,
        isShare: false,
      },
      xLabel: `mean ${what} of a run (${unit})`,
    },
    (facet, arm) => groups.map((list) => Math.max(0, mean(find(list, facet, arm)?.values ?? []))),
  );
}

interface Stack {
  id: string;
  what: string;
  series: string[];
  xLabel: string;
  isShare: boolean;
}

function stackOf(
  { design, study }: ChartContext,
  { id, what, series, xLabel, isShare }: Stack,
  partsOf: (facet: string, arm: string) => number[],
): ChartView[] {
  const { arms, notes } = shownArms(design);
  const panels = design.facets.map((facet) => ({
    title: facet,
    parts: arms.map((arm) => partsOf(facet, arm).map(short)),
  }));
  const chart: StackChart = {
    kind: "stack",
    title: `${what}${design.by.length > 0 ? ` by ${design.by.join(", ")}` : ""} in ${study}`,
    subtitle: settingOf({ design }),
    ...{ xLabel, rows: arms, series, panels, isShare },
    isShared:
      isShare ||
      canShare(panels.map(({ parts }) => Math.max(...parts.map((row) => row.reduce((a, b) => a + b, 0))))),
    notes: [
      isShare
        ? "Pieces: shares of the runs, without an interval."
        : "Pieces: means over runs, without an interval; at the end their sum.",
      ...notes,
    ],
  };
  return [{ id, ...chart }];
}

function shares(parts: number[]): number[] {
  const total = parts.reduce((a, b) => a + b, 0);
  return total > 0 ? parts.map((part) => part / total) : parts.map(() => 0);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((a, b) => a + b, 0) / values.length;
}
