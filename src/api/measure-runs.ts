import { commonWindow } from "../analysis/common-window.ts";
import {
  type CurveSummary,
  type SummaryOptions,
  summariseCurve,
  summaryText,
} from "../analysis/curve-summary.ts";
import type { Measurement, Measurements } from "../analysis/measurements.ts";
import { readSeries, seriesNames } from "../archive/read-series.ts";
import { UserError } from "../core/errors.ts";
import { parseExpression } from "../core/expression.ts";
import type { RunRecord } from "../core/run.ts";
import { nearest } from "../core/suggest.ts";
import type { Curve } from "../stats/index.ts";
import { type Grouping, groupingOf } from "./group-runs.ts";
import { metricInfo } from "./metric-info.ts";
import { findSources, type RunSource, type Sources } from "./run-sources.ts";

/** Which numbers of which runs. */
export interface MeasureOptions {
  metric?: string;
  by?: string[];
  /** A parameter that says which task a run did, where the runs' own task does not. */
  task?: string;
  /** Only runs for which this condition holds. */
  where?: string;
  summary?: CurveSummary;
  stepMin?: number;
  stepMax?: number;
  /** Share of the steps, 0 to 1. */
  share?: number;
  windowEnd?: "first" | "last";
  lastN?: number;
  goal?: "minimize" | "maximize";
  outRoot?: string;
}

/** Reads one number a run, of a study or of a list of runs; a failed run is missing, never zero. */
export async function measureRuns(words: readonly string[], options: MeasureOptions): Promise<Measurements> {
  const sources = findSources(words, options.outRoot);
  const metric = options.metric ?? sources.study?.study.analysis.metric;
  if (metric === undefined)
    throw new UserError("no metric was named, and the study has no analysis.metric", {
      remedy: `Add --metric NAME. Known: ${metricNames(sources.runs).join(", ") || "none"}.`,
    });
  const runs = selected(sources, options.where);
  const ended = runs.filter(({ record }) => record.outcome.status === "ok");
  if (ended.length === 0)
    throw new UserError(
      runs.length === 0
        ? `${sources.name} has no runs${options.where === undefined ? " yet" : ` for which ${options.where} holds`}`
        : `none of the ${runs.length} runs of ${sources.name} ended well`,
      { remedy: "`assay status STUDY` says how far a study is." },
    );
  const grouping = groupingOf(sources, runs, options);
  const info = await metricInfo(sources.study, metric);
  const common = {
    study: sources.name,
    metric,
    goal: options.goal ?? sources.study?.study.analysis.goal ?? info.goal,
    by: grouping.by,
    arms: grouping.arms,
    baseline: grouping.baseline,
    cautions: grouping.cautions,
  };
  const isScalar = ended.some(({ record }) => typeof record.metrics[metric] === "number");
  if (isScalar && options.summary === undefined)
    return {
      ...common,
      ...scalars(runs, metric, grouping),
      what: metric,
      summary: null,
      unit: info.unit,
      window: null,
    };
  return { ...common, unit: info.unit, ...series(runs, { metric, options, grouping }) };
}

function scalars(runs: readonly RunSource[], metric: string, grouping: Grouping) {
  const measured: Measurement[] = [];
  const missing: Measurements["missing"] = [];
  for (const { record } of runs) {
    const value = record.metrics[metric];
    if (record.outcome.status === "ok" && typeof value === "number" && Number.isFinite(value))
      measured.push({ ...identity(record, grouping), value });
    else missing.push({ id: record.id, arm: grouping.armOf(record), why: whyMissing(record, metric) });
  }
  return { runs: measured, missing };
}

interface SeriesRequest {
  metric: string;
  options: MeasureOptions;
  grouping: Grouping;
}

function series(runs: readonly RunSource[], { metric, options, grouping }: SeriesRequest) {
  const curves = new Map<string, Curve>();
  for (const { record, seriesPath } of runs) {
    if (record.outcome.status !== "ok") continue;
    const curve = readSeries(seriesPath, metric);
    if (curve && curve.steps.length > 0) curves.set(record.id, curve);
  }
  if (curves.size === 0) throw noMetric(metric, runs, options.summary);
  const window = commonWindow([...curves.values()]);
  if (!window)
    throw new UserError(`every series of "${metric}" has a single point`, {
      expected: "curves of two or more",
    });
  const summary = {
    ...summaryOptions(options),
    from: options.stepMin ?? window.from,
    to: options.stepMax ?? window.to,
  };
  const measured: Measurement[] = [];
  const missing: Measurements["missing"] = [];
  for (const { record } of runs) {
    const curve = curves.get(record.id);
    const value = curve && summariseCurve(curve, summary);
    if (value?.known) measured.push({ ...identity(record, grouping), value: value.value, curve: curve! });
    else {
      const why = value ? value.why : whyMissing(record, metric);
      missing.push({ id: record.id, arm: grouping.armOf(record), why });
    }
  }
  return {
    runs: measured,
    missing,
    what: `${metric}: ${summaryText(summary)}`,
    summary: summary.summary as string,
    window: { from: summary.from, to: summary.to },
  };
}

function summaryOptions({ summary = "auc", share, windowEnd, lastN }: MeasureOptions): SummaryOptions {
  const options: SummaryOptions = { summary };
  if (share !== undefined) options.share = share;
  if (windowEnd !== undefined) options.end = windowEnd;
  if (lastN !== undefined) options.lastN = lastN;
  return options;
}

function identity(record: RunRecord, grouping: Grouping): Omit<Measurement, "value"> {
  return {
    id: record.id,
    arm: grouping.armOf(record),
    unit: grouping.unitOf(record),
    block: grouping.blockOf(record),
    task: grouping.taskOf(record),
    wallMs: Number.isFinite(record.wallMs) ? record.wallMs : null,
    costUsd: record.costUsd ?? numberOrNull(record.metrics.cost_usd),
  };
}

function selected({ runs }: Sources, where: string | undefined): RunSource[] {
  if (where === undefined) return runs;
  const known = new Set([
    "variant",
    "seed",
    "task",
    "repeat",
    ...runs.flatMap(({ record }) => Object.keys(record.params)),
  ]);
  const condition = parseExpression(where, known);
  return runs.filter(({ record: { params, variant, seed, task, repeat } }) =>
    condition.holds({ ...params, variant, seed, task, repeat }),
  );
}

function whyMissing({ outcome }: RunRecord, metric: string): string {
  if (outcome.status === "ok") return `it has no ${metric}`;
  return `it ${outcome.status === "failed" ? `failed (${outcome.owner ?? "unknown owner"})` : `ended as ${outcome.status}`}`;
}

function metricNames(runs: readonly RunSource[]): string[] {
  return [...new Set([...runs.flatMap(({ record }) => Object.keys(record.metrics)), ...seriesOf(runs)])];
}

function seriesOf(runs: readonly RunSource[]): string[] {
  const first = runs.find(({ record }) => record.outcome.status === "ok");
  return first ? seriesNames(first.seriesPath) : [];
}

function noMetric(metric: string, runs: readonly RunSource[], summary: string | undefined): UserError {
  const known = metricNames(runs);
  if (summary !== undefined && runs.some(({ record }) => metric in record.metrics))
    return new UserError(`"${metric}" is one number a run, not a series`, {
      remedy: `Series: ${seriesOf(runs).join(", ") || "none"}.`,
    });
  const near = nearest(metric, known);
  return new UserError(`no run has the metric "${metric}"`, {
    remedy:
      near.length > 0
        ? `Did you mean ${near.map((name) => `"${name}"`).join(" or ")}?`
        : `Known: ${known.join(", ") || "none"}.`,
  });
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
