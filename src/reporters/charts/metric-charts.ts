import { type UnitValues, unitValues } from "../../analysis/report/arm-values.ts";
import { estimateKind, estimateOf } from "../../analysis/report/estimate.ts";
import { axisLabel, type MetricFacts, quantileFamilies, stemOf } from "../../analysis/report/metric-facts.ts";
import type { ArmsChart, BarsChart } from "../../plots/chart.ts";
import type { ChartView } from "../study-view.ts";
import {
  type ChartContext,
  canShare,
  fileName,
  inReadableUnit,
  scaled,
  settingOf,
  short,
  shownArms,
  someOf,
} from "./chart-context.ts";

const FREE = "Each panel has its own scale.";

/** One metric by arm: every unit's value, the mean and its interval, a panel for each facet. */
export function metricByArm(context: ChartContext, metric: MetricFacts): ChartView[] {
  const { records, layout, study } = context;
  const raw = unitValues(records, layout, metric.name).filter(({ values }) => values.length > 0);
  if (raw.length === 0) return [];
  const { facts, factor } = inReadableUnit(
    metric,
    raw.flatMap(({ values }) => values),
  );
  const groups = scaled(raw, factor);
  const kind = { ...estimateKind(groups, layout.unit), range: metric.range };
  const { arms, notes } = shownArms(layout);
  const panels = layout.facets.flatMap((facet) => {
    const cells = arms.map((arm) => {
      const group = find(groups, facet, arm);
      if (!group) return null;
      const { mean, interval, ...rest } = estimateOf(group, kind);
      const range = interval ? ([short(interval[0]), short(interval[1])] as const) : null;
      return {
        values: someOf(group.values),
        n: group.values.length,
        mean: short(mean),
        interval: range,
        ...rest,
      };
    });
    return cells.every((cell) => cell === null) ? [] : [{ title: facet, cells }];
  });
  const isShared = canShare(
    panels.map(({ cells }) => Math.max(...cells.map((cell) => Math.abs(cell?.mean ?? 0)))),
  );
  const chart: ArmsChart = {
    kind: "arms",
    title: `${metric.name}${layout.by.length > 0 ? ` by ${layout.by.join(", ")}` : ""} in ${study}`,
    subtitle: settingOf({ layout, metric }),
    xLabel: axisLabel(facts),
    rows: arms.map((name) => ({ name, colour: layout.arms.indexOf(name) })),
    panels,
    isShared,
    notes: [
      `Bar: ${kind.words}. Ring: mean. Dots: one per ${layout.unit}, shifted to be seen.${isShared ? "" : ` ${FREE}`}`,
      ...missingNote(groups),
      ...notes,
    ],
  };
  return [{ id: fileName(`${metric.name}_by_${layout.by.join("_") || "run"}`), ...chart }];
}

/** Quantiles of one thing beside each other (`makespan_by_policy`). */
export function familyByArm(context: ChartContext): ChartView[] {
  const known = new Map(context.metrics.map((metric) => [metric.name, metric]));
  return quantileFamilies([...known.keys()])
    .filter(({ stem }) => !/tier\d|_worker/.test(stem))
    .slice(0, 3)
    .flatMap(({ stem, members }) => {
      return barsOf(context, {
        stem,
        series: members.map(({ name, quantile }) => ({ metric: known.get(name)!, name: quantile })),
      });
    });
}

/** What it costs (`cost_by_policy`): the mean, where there are several summaries of it. */
export function costByArm(context: ChartContext): ChartView[] {
  const costs = context.metrics.filter(({ name }) => /^cost/i.test(name));
  const chosen =
    costs.find(({ name }) => /^cost(_mean)?(_[a-z]+)?$/i.test(name)) ??
    costs.find(({ name }) => /total|usd/i.test(name));
  if (!chosen) return [];
  return barsOf(context, {
    stem: stemOf(chosen.name).replace(/_usd$/i, "") || "cost",
    series: [{ metric: chosen, name: chosen.name }],
  });
}

interface Bars {
  stem: string;
  series: { metric: MetricFacts; name: string }[];
}

function barsOf({ records, layout, study }: ChartContext, { stem, series }: Bars): ChartView[] {
  const { arms, notes } = shownArms(layout);
  const raw = series.map(({ metric }) => unitValues(records, layout, metric.name));
  const { metric } = series[0]!;
  const isMany = series.length > 1;
  const { facts, factor } = inReadableUnit(
    isMany ? { ...metric, name: stem } : metric,
    raw.flat().flatMap(({ values }) => values),
  );
  const columns = raw.map((groups) => scaled(groups, factor));
  const kind = estimateKind(columns.flat(), layout.unit);
  const panels = layout.facets
    .map((facet) => ({
      title: facet,
      bars: arms.map((arm) =>
        columns.map((groups) => {
          const group = find(groups, facet, arm);
          if (!group || group.values.length === 0) return null;
          const { mean, interval } = estimateOf(group, kind);
          const range = interval ? ([short(interval[0]), short(interval[1])] as const) : null;
          return { value: short(mean), interval: range, n: group.values.length };
        }),
      ),
    }))
    .filter(({ bars }) => bars.some((row) => row.some((bar) => bar !== null)));
  if (panels.length === 0) return [];
  const all = panels.flatMap(({ bars }) => bars.flat());
  const isShared = canShare(
    panels.map(({ bars }) => Math.max(...bars.flat().map((bar) => Math.abs(bar?.value ?? 0)))),
  );
  const what = isMany ? `${stem}: ${series.map(({ name }) => name).join(", ")}` : metric.name;
  const chart: BarsChart = {
    kind: "bars",
    title: `${what}${layout.by.length > 0 ? ` by ${layout.by.join(", ")}` : ""} in ${study}`,
    subtitle: settingOf({ layout, metric }),
    xLabel: axisLabel(facts),
    rows: arms.map((name) => ({ name, colour: layout.arms.indexOf(name) })),
    series: series.map(({ name }) => name),
    panels,
    isShared,
    notes: [
      `Bar: mean over ${layout.unit}s of each run's number. Whisker: ${kind.words}${all.some((bar) => bar && !bar.interval) ? "; none where fewer than two values, or equal ones, show no spread" : ""}.${isShared ? "" : ` ${FREE}`}`,
      ...(all.some((bar) => bar === null) ? ["Unknown: no run has that number."] : []),
      ...notes,
    ],
  };
  return [{ id: fileName(`${stem}_by_${layout.by.join("_") || "run"}`), ...chart }];
}

export function find(groups: readonly UnitValues[], facet: string, arm: string): UnitValues | undefined {
  return groups.find((group) => group.facet === facet && group.arm === arm);
}

function missingNote(groups: readonly UnitValues[]): string[] {
  const missing = groups.reduce((total, group) => total + group.missing, 0);
  return missing === 0
    ? []
    : [
        `${missing} run${missing === 1 ? " has" : "s have"} no number for it and ${missing === 1 ? "is" : "are"} left out.`,
      ];
}
