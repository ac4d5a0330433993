import { intervalWords } from "../../analysis/estimate-arm.ts";
import {
  axisEstimates,
  type FacetEstimate,
  type FacetEstimates,
  facetEstimates,
} from "../../analysis/facet-estimates.ts";
import { axisLabel, type MetricFacts, quantileFamilies, stemOf } from "../../design/metric.ts";
import type { ArmsChart, BarsChart, Curve, CurvesChart } from "../../plots/chart.ts";
import type { ChartView } from "../study-view.ts";
import {
  type ChartContext,
  canShare,
  fileName,
  inReadableUnit,
  rangeOf,
  rowsOf,
  scaled,
  settingOf,
  short,
  shownArms,
  someOf,
} from "./chart-context.ts";

/** From this ratio of the largest value to the smallest, an axis is logarithmic. */
const LOG_RATIO = 20;

const FREE = "Each panel has its own scale.";

/** One metric by arm: every unit's value, the mean and its interval, a panel for each facet. */
export function metricByArm(context: ChartContext, metric: MetricFacts): ChartView[] {
  const { design, study } = context;
  const { isRate, groups: all } = facetEstimates(design, metric);
  const raw = all.filter(({ values }) => values.length > 0);
  if (raw.length === 0) return [];
  const { facts, factor } = inReadableUnit(
    metric,
    raw.flatMap(({ values }) => values),
    isRate,
  );
  const groups = scaled(raw, factor);
  const { arms, notes } = shownArms(design);
  const panels = design.facets.flatMap((facet) => {
    const cells = arms.map((arm) => {
      const group = find(groups, facet, arm);
      if (!group) return null;
      return {
        values: someOf(group.values),
        n: group.values.length,
        mean: short(group.mean!),
        interval: rangeOf(group),
        ...(!group.interval.known && { remark: `no interval: ${group.interval.why}` }),
      };
    });
    return cells.every((cell) => cell === null) ? [] : [{ title: facet, cells }];
  });
  const isShared = canShare(
    panels.map(({ cells }) => Math.max(...cells.map((cell) => Math.abs(cell?.mean ?? 0)))),
  );
  const chart: ArmsChart = {
    kind: "arms",
    title: `${metric.name}${design.by.length > 0 ? ` by ${design.by.join(", ")}` : ""} in ${study}`,
    subtitle: settingOf({ design, metric }),
    xLabel: axisLabel(facts),
    rows: rowsOf(design, arms),
    panels,
    isShared,
    notes: [
      `Bar: ${intervalWords({ ...metric, isRate }, design.unit)}. Ring: mean. Dots: one per ${design.unit}, spread out to be visible.${isShared ? "" : ` ${FREE}`}`,
      ...missingNote(all),
      ...notes,
    ],
  };
  return [{ id: fileName(`${metric.name}_by_${design.by.join("_") || "run"}`), ...chart }];
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

function barsOf({ design, study }: ChartContext, { stem, series }: Bars): ChartView[] {
  const { arms, notes } = shownArms(design);
  const found: FacetEstimates[] = series.map(({ metric }) => facetEstimates(design, metric));
  const { metric } = series[0]!;
  const isMany = series.length > 1;
  const isRate = found.every((one) => one.isRate);
  const { facts, factor } = inReadableUnit(
    isMany ? { ...metric, name: stem } : metric,
    found.flatMap(({ groups }) => groups.flatMap(({ values }) => values)),
    isRate,
  );
  const columns = found.map(({ groups }) => scaled(groups, factor));
  const panels = design.facets
    .map((facet) => ({
      title: facet,
      bars: arms.map((arm) =>
        columns.map((groups) => {
          const group = find(groups, facet, arm);
          if (!group || group.mean === null) return null;
          return { value: short(group.mean), interval: rangeOf(group), n: group.values.length };
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
    title: `${what}${design.by.length > 0 ? ` by ${design.by.join(", ")}` : ""} in ${study}`,
    subtitle: settingOf({ design, metric }),
    xLabel: axisLabel(facts),
    rows: rowsOf(design, arms),
    series: series.map(({ name }) => name),
    panels,
    isShared,
    notes: [
      `Bar: mean over ${design.unit}s of each run's number. Whisker: ${intervalWords({ ...metric, isRate }, design.unit)}${all.some((bar) => bar && !bar.interval) ? "; none where fewer than two values, or equal ones, show no spread" : ""}.${isShared ? "" : ` ${FREE}`}`,
      ...(all.some((bar) => bar === null) ? ["Unknown: no run has that number."] : []),
      ...notes,
    ],
  };
  return [{ id: fileName(`${stem}_by_${design.by.join("_") || "run"}`), ...chart }];
}

export function find(
  groups: readonly FacetEstimate[],
  facet: string,
  arm: string,
): FacetEstimate | undefined {
  return groups.find((group) => group.facet === facet && group.name === arm);
}

function missingNote(groups: readonly FacetEstimate[]): string[] {
  const missing = groups.reduce(
    (total, group) => total + Object.values(group.missing).reduce((a, b) => a + b, 0),
    0,
  );
  if (missing === 0) return [];
  return [
    `${missing} run${missing === 1 ? " has" : "s have"} no number for it and ${missing === 1 ? "is" : "are"} left out.`,
  ];
}

/** One metric over a numeric setting: a line with its band for each arm; where the arms are the values, one line. */
export function metricOverAxis({ design, study }: ChartContext, metric: MetricFacts): ChartView[] {
  const { x, by } = design;
  if (x === null) return [];
  const isArms = by.includes(x);
  const { isRate, groups } = axisEstimates(design, metric);
  const raw = groups.filter(({ mean, x: at }) => mean !== null && at !== null);
  if (raw.length === 0) return [];
  const { facts, factor } = inReadableUnit(
    metric,
    raw.flatMap(({ values }) => values),
    isRate,
  );
  const found = scaled(raw, factor);
  const { arms, notes } = shownArms(design);
  const panels = design.facets
    .map((title) => {
      const here = found.filter(({ facet }) => facet === title);
      const curves = isArms
        ? [curveOf({ name: metric.name, colour: 0 }, here)]
        : rowsOf(design, arms).map((arm) =>
            curveOf(
              arm,
              here.filter(({ name }) => name === arm.name),
            ),
          );
      return { title, curves: curves.filter((curve) => curve.x.length > 0) };
    })
    .filter(({ curves }) => curves.length > 0);
  const xs = found.map((group) => group.x!);
  const isLog = spans(xs);
  // A band that reaches zero has no place on a logarithmic axis.
  const ys = found.flatMap(({ mean, interval }) => [mean!, ...(interval.known ? [interval.low] : [])]);
  const others = by.filter((name) => name !== x);
  const chart: CurvesChart = {
    kind: "curves",
    title: `${metric.name} over ${x}${others.length > 0 ? ` by ${others.join(", ")}` : ""} in ${study}`,
    subtitle: settingOf({ design, metric, x }),
    xLabel: x,
    yLabel: axisLabel(facts),
    xScale: isLog ? "log" : "linear",
    ...(isLog && spans(ys) && { yScale: "log" }),
    hasDots: true,
    panels,
    notes: [
      `Dot: mean over ${design.unit === "setting" ? "run" : design.unit}s. Band: ${intervalWords({ ...metric, isRate }, design.unit === "setting" ? "run" : design.unit)}, at each ${x} on its own; none where one value shows no spread.`,
      ...notes,
    ],
  };
  return [{ id: fileName(`${metric.name}_over_${x}`), ...chart }];
}

function spans(values: readonly number[]): boolean {
  return Math.min(...values) > 0 && Math.max(...values) / Math.min(...values) >= LOG_RATIO;
}

function curveOf(arm: { name: string; colour: number }, groups: readonly FacetEstimate[]): Curve {
  const ordered = groups.toSorted((a, b) => a.x! - b.x!);
  return {
    ...arm,
    x: ordered.map((group) => group.x!),
    y: ordered.map(({ mean }) => short(mean!)),
    low: ordered.map(({ interval }) => (interval.known ? short(interval.low) : Number.NaN)),
    high: ordered.map(({ interval }) => (interval.known ? short(interval.high) : Number.NaN)),
  };
}
