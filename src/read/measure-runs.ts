import { settleFailures } from "../analysis/compare/settle-failures.ts";
import {
  type CurveSummary,
  commonWindow,
  type SummaryOptions,
  summariseCurve,
  summaryText,
} from "../analysis/curve-summary.ts";
import { ITERATIONS, type Measurement, type Measurements } from "../analysis/measurements.ts";
import { readSeries, type Series, seriesNames } from "../archive/read-series.ts";
import { UserError } from "../core/errors.ts";
import type { RunRecord } from "../core/run.ts";
import { listed, nearest } from "../core/suggest.ts";
import { type Design, designOf } from "../design/design.ts";
import { type MetricFacts, metricFacts } from "../design/metric.ts";
import { type MetricReader, observe, scalarReader } from "../design/observe.ts";
import { comparedAs, mainMetric } from "../design/statistic.ts";
import { unfold } from "../design/unfold.ts";
import { askedBeside } from "./compare/questions.ts";
import { readDecision } from "./decision.ts";
import { measureTable } from "./measure-table.ts";
import { factsOf, metricSources } from "./metric-info.ts";
import { noteLook, pastOf } from "./past.ts";
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
  baseline?: string;
  outRoot?: string;
  /** A CSV file's column that says of how many samples the metric is a count. */
  samples?: string;
  /** Curves are wanted as they are, so one that ends early is not missing. */
  isWhole?: boolean;
  /** What comes of it says which arm is better. */
  isLook?: boolean;
}

/** Reads one number per run, of a study or of a list of runs; what a failed run counts as is up to the metric. */
export async function measureRuns(words: readonly string[], options: MeasureOptions): Promise<Measurements> {
  if (words.length === 1 && /\.[ct]sv$/.test(words[0]!)) return measureTable(words[0]!, options);
  const sources = findSources(words, options.outRoot);
  const all = sources.runs.map(({ record }) => record);
  const asked = options.metric ?? mainMetric(all, await metricSources(sources.study, options)).name;
  if (asked === null)
    throw new UserError("no metric was named, and no run has one", {
      remedy: `Add --metric NAME. Series: ${seriesOf(sources.runs).join(", ") || "none"}.`,
    });
  const { study, records, metric: name } = unfold({ study: sources.study, records: all }, asked);
  const known = await metricSources(study, options);
  const metric = options.summary === undefined ? comparedAs(name, records, known).name : name;
  const past = study && pastOf(study, sources.dir);
  const beside = askedBeside(options, study?.study.analysis);
  // A plan's own answer is the comparison that it names.
  const question = options.isLook ? ["a ranking", beside].filter(Boolean).join(", ") : beside;
  const source = { label: sources.name, dir: "", study: study?.study, records, past, runs: all.length };
  const design = designOf([source], {
    by: options.by,
    where: options.where,
    task: options.task,
    baseline: options.baseline,
    asked: question,
    isList: sources.isList,
  });
  checkRuns(design, sources, options.where);
  if (options.isLook && !sources.isList)
    noteLook(sources.dir, all.length, past?.locked ? question : undefined);
  const facts = await factsOf(study, metric, options);
  const reading = { metric, options, sources, design };
  const scalar = scalarReader(facts);
  const names = options.metric === undefined ? (study?.study.analysis.also ?? []) : [];
  const second = names.map(({ metric: other }) => scalarReader(metricFacts(other, known)));
  const isScalar = design.runs.some(
    ({ record, dir }) => record.outcome.status === "ok" && scalar.read(record, dir) !== null,
  );
  if (isScalar && options.summary === undefined)
    return {
      ...{ ...measured(reading, scalar), what: metric, summary: null, window: null },
      ...(second.length > 0 && { also: observe(design, second) }),
    };
  const { reader, curves, whyNot, ...rest } = seriesReader(reading, facts);
  const found = measured(reading, reader, whyNot);
  return {
    ...found,
    ...rest,
    runs: found.runs.map((run) => ({ ...run, ...(curves.has(run.id) && { curve: curves.get(run.id)! }) })),
  };
}

interface Reading {
  metric: string;
  options: MeasureOptions;
  sources: Sources;
  design: Design;
}

function checkRuns({ runs }: Design, { name }: Sources, where: string | undefined): void {
  if (runs.some(({ record }) => record.outcome.status === "ok")) return;
  throw new UserError(
    runs.length === 0
      ? `${name} has no runs${where === undefined ? " yet" : ` for which ${where} holds`}`
      : `none of the ${runs.length} runs of ${name} succeeded`,
    { remedy: "`assay status STUDY` says how far a study is." },
  );
}

const DECIDED =
  "The study stopped by its own rule, which looked after every round. Means and p-values here are those of a fixed number of runs; `assay compare` has the interval that holds under looking.";

type Found = Omit<Measurements, "what" | "summary" | "window">;

function measured(
  { metric, sources, design }: Reading,
  reader: MetricReader,
  whyNot: ReadonlyMap<string, string> = new Map(),
): Found {
  const set = observe(design, [reader])[0]!;
  const places = new Map(design.runs.map((run) => [run.record.id, run]));
  const runs: Measurement[] = [];
  const missing: Measurements["missing"] = [];
  for (const { arm } of settleFailures(set).arms) {
    for (const { id, value } of arm.observations) {
      const { record, unit, task } = places.get(String(id))!;
      if (value === null)
        missing.push({
          id: record.id,
          arm: arm.name,
          why: whyNot.get(record.id) ?? whyMissing(record, metric),
        });
      else
        runs.push({
          ...{ id: record.id, arm: arm.name, unit, task, value },
          wallMs: Number.isFinite(record.wallMs) ? record.wallMs : null,
          costUsd: record.costUsd ?? numberOrNull(record.metrics.cost_usd),
        });
    }
  }
  const { study, isList } = sources;
  const isOver =
    study &&
    !isList &&
    readDecision(
      study,
      sources.runs.map(({ record }) => record),
    )?.isOver;
  return {
    ...{ study: sources.name, metric, unit: reader.unit, goal: reader.goal },
    ...{ by: design.by, arms: design.arms.map(({ name }) => name), baseline: design.baseline },
    colours: Object.fromEntries(design.arms.map(({ name, colour }) => [name, colour])),
    ...{ counted: design.unit, set, runs, missing, standing: design.standing(metric) },
    // Stopping is part of the plan of a study that decides as it goes.
    cautions: design.cautions.map(({ kind, text }) => (isOver && kind === "unfinished" ? DECIDED : text)),
  };
}

function seriesReader({ metric, options, sources, design }: Reading, facts: MetricFacts) {
  const paths = new Map(sources.runs.map(({ record, seriesPath }) => [record.id, seriesPath]));
  const curves = new Map<string, Series>();
  for (const { record } of design.runs) {
    if (record.outcome.status !== "ok") continue;
    const curve = readSeries(paths.get(record.id)!, metric);
    if (curve && curve.steps.length > 0) curves.set(record.id, curve);
  }
  if (curves.size === 0) throw noMetric(metric, sources.runs, options.summary);
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
  const isIterated = (sources.study?.study.iterations.measured ?? 1) > 1;
  const axis = [...curves.values()][0]!.axis ?? (isIterated ? ITERATIONS : undefined);
  const whyNot = new Map<string, string>();
  const read = ({ id }: RunRecord) => {
    const curve = curves.get(id);
    if (curve && options.isWhole) return curve.values.at(-1)!;
    const value = curve && summariseCurve(curve, summary);
    if (value?.known === false) whyNot.set(id, value.why);
    return value?.known ? value.value : null;
  };
  // A summary of a series may have another unit and another range than its values.
  const reader: MetricReader = { ...facts, range: undefined, failure: "missing", read };
  return {
    ...{
      reader,
      curves,
      whyNot,
      what: `${metric}: ${summaryText({ ...summary, axis })}`,
      summary: summary.summary as string,
    },
    window: { from: summary.from, to: summary.to },
    axis,
  };
}

function summaryOptions({ summary = "auc", share, windowEnd, lastN }: MeasureOptions): SummaryOptions {
  const options: SummaryOptions = { summary };
  if (share !== undefined) options.share = share;
  if (windowEnd !== undefined) options.end = windowEnd;
  if (lastN !== undefined) options.lastN = lastN;
  return options;
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
    return new UserError(`"${metric}" is one number per run, not a series`, {
      remedy: `Series: ${seriesOf(runs).join(", ") || "none"}.`,
    });
  return unknownMetric(metric, known);
}

export function unknownMetric(metric: string, known: readonly string[]): UserError {
  const near = nearest(metric, known);
  return new UserError(`no run has the metric "${metric}"`, {
    remedy:
      near.length > 0
        ? `Did you mean ${near.map((name) => `"${name}"`).join(" or ")}?`
        : `Known: ${listed(known) || "none"}.`,
  });
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
