import { type FailureGroup, groupFailures, isPattern, parsePattern, type RunRecord } from "../core/run.ts";
import type { StudyFile } from "../core/study-folder.ts";
import { suggestion } from "../core/suggest.ts";
import type { Warning } from "../core/warning.ts";
import type { Design } from "../design/design.ts";
import { metricFacts } from "../design/metric.ts";
import { mainMetric } from "../design/statistic.ts";
import { runNotes, suspectRuns } from "./compare/conclude.ts";
import { type CellSummary, summariseCells } from "./summarise.ts";

/** What a report is made from. */
export interface Findings {
  name: string;
  question: string | null;
  /** The metric that the study is about; null when it names none and none stands out. */
  metric: string | null;
  axisNames: string[];
  cells: CellSummary[];
  /** Cancelled and skipped runs are neither failed nor missing. */
  counts: { total: number; ok: number; stopped: number; failed: number; cancelled: number; missing: number };
  /** By owner, and of each what the reasons are, the most frequent first. */
  failures: { owner: string; runs: { id: string; reason: string }[]; reasons: FailureGroup[] }[];
  warnings: Warning[];
  records: RunRecord[];
  study: StudyFile;
}

/** Looks at all records of a study and says what they show and what is to be doubted; their design, where it is known. */
export function findOut(study: StudyFile, records: RunRecord[], design?: Design): Findings {
  const axisNames = study.study.axes.flatMap((axis) => axis.names);
  const { analysis } = study.study;
  const factsOf = (name: string) =>
    metricFacts(name, { analysis, ...(study.metrics && { infos: study.metrics }) });
  const cells = summariseCells(records, study.study, factsOf, design);
  // A run that the study's own rule ended early did what it should.
  const good = records.filter(({ outcome }) => isGood(outcome)).length;
  const stopped = records.filter(({ outcome }) => outcome.status === "stopped").length;
  const failures = failuresByOwner(records);
  const { name: metric, why } = mainMetric(records, {
    analysis,
    ...(study.metrics && { infos: study.metrics }),
  });
  const cancelled = records.filter(({ outcome }) => isCancelled(outcome)).length;
  const counts = {
    // A search that goes on until somebody ends it has no total.
    total: study.total ?? records.length,
    ok: good - stopped,
    stopped,
    failed: records.length - good - cancelled,
    cancelled,
    missing: Math.max(0, study.total - records.length),
  };
  return {
    name: study.name,
    question: study.study.question ?? null,
    metric,
    axisNames,
    cells,
    counts,
    failures,
    warnings: [
      ...warn(study, { metric, cells, counts, failures }),
      ...suspectRuns(records),
      ...runNotes(records, metric),
      ...(why === null ? [] : [{ kind: "statistic", level: "info" as const, text: why }]),
    ],
    records,
    study,
  };
}

function isGood({ status }: RunRecord["outcome"]): boolean {
  return status === "ok" || status === "stopped";
}

function isCancelled({ status }: RunRecord["outcome"]): boolean {
  return status === "cancelled" || status === "skipped";
}

function failuresByOwner(records: RunRecord[]): Findings["failures"] {
  const failed = records.filter(({ outcome }) => !isGood(outcome) && !isCancelled(outcome));
  const ownerOf = ({ outcome }: RunRecord) => outcome.owner ?? outcome.status;
  return [...new Set(failed.map(ownerOf))].map((owner) => {
    const own = failed.filter((record) => ownerOf(record) === owner);
    const runs = own.map(({ id, outcome }) => ({ id, reason: outcome.reason ?? outcome.status }));
    return { owner, runs, reasons: groupFailures(own) };
  });
}

function warn(
  study: StudyFile,
  { metric, cells, counts, failures }: Pick<Findings, "metric" | "cells" | "counts" | "failures">,
): Warning[] {
  const warnings: Warning[] = [];
  const add = (kind: string, text: string, level: Warning["level"] = "warn") =>
    warnings.push({ kind, level, text });
  const missing = missingMetric(cells, study.study.analysis.metric);
  if (missing !== undefined) add("missing-metric", missing);
  if (counts.failed > 0)
    add(
      "failed",
      `${counts.failed} of ${counts.ok + counts.stopped + counts.failed} runs failed (${failures.map(({ owner, runs }) => `${owner}: ${runs.length}`).join(", ")}): ${whatFailedCounts(cells, [metric ?? [], primaryOf(study)].flat())}.`,
    );
  if (counts.missing > 0)
    add("unfinished", `${counts.missing} of ${counts.total} planned runs ${whyMissing(study)}.`, "info");
  // Points of a search are no cells: they have warnings of their own.
  if (study.study.search) return [...warnings, ...launchWarnings(study)];
  const sizes = cells.map((cell) => cell.runs - cell.failed);
  const least = sizes.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const most = sizes.reduce((a, b) => Math.max(a, b), 0);
  if (cells.length > 0 && most < 5)
    add(
      "few-runs",
      `At most ${most} run${most === 1 ? "" : "s"} per cell: too few to tell a small difference from chance.`,
    );
  if (least !== most && cells.length > 1)
    add("uneven", `Cells have between ${least} and ${most} good runs each: compare with care.`);
  return [...warnings, ...launchWarnings(study)];
}

function whyMissing({ study }: StudyFile): string {
  if (study.search) return "were not done: the search has ended, or is still running";
  return study.analysis.decide
    ? "were not done: the study ends when it has decided, or is still running"
    : "have not been done yet";
}

/** What a failed run counts as, in the metrics that matter most. */
function whatFailedCounts(cells: readonly CellSummary[], metrics: readonly string[]): string {
  const counted = metrics.filter((name) => cells.some((cell) => (cell.metrics[name]?.counted ?? 0) > 0));
  return counted.length === 0
    ? "their metrics are missing data, not zeros"
    : `those that failed by their own fault count as the worst value of ${[...new Set(counted)].join(", ")}; everything else is missing data`;
}

function primaryOf({ metrics = {} }: StudyFile): string[] {
  return Object.keys(metrics).filter((name) => metrics[name]!.primary);
}

function launchWarnings(study: StudyFile): Warning[] {
  const warnings = (study.study.warnings ?? []).filter(({ level }) => level === "info");
  const programs = new Set(study.launches.map((launch) => launch.program));
  if (programs.size > 1)
    warnings.push({
      ...{ kind: "program-changed", level: "info" },
      text: "The program changed between launches: only runs of its newest version count.",
    });
  if (study.git && study.git.dirty === true)
    warnings.push({
      ...{ kind: "uncommitted", level: "info" },
      text: "The git checkout had uncommitted changes; the diff is in study.json.",
    });
  return warnings;
}

const HOW =
  "a program writes metrics.json or summary.csv to $ASSAY_OUT_DIR, or prints them and target.metrics has a pattern for each; a module returns them.";

/** Whether a metric is asked for by a pattern, and some name is one of those that it means. */
function fits(names: ReadonlySet<string>, metric: string): boolean {
  return isPattern(metric) && [...names].some((name) => parsePattern(metric).read(name) !== undefined);
}

/** What to say when the metric that a study is about is not there; undefined when it is. */
export function missingMetric(
  cells: readonly CellSummary[],
  metric: string | null | undefined,
): string | undefined {
  const names = new Set(cells.flatMap((cell) => Object.keys(cell.metrics)));
  if (cells.every((cell) => cell.runs === cell.failed)) return undefined;
  if (metric !== null && metric !== undefined) {
    if (names.has(metric) || fits(names, metric)) return undefined;
    const remedy = names.size === 0 ? `It reports no metric at all: ${HOW}` : suggestion(metric, names);
    return `No run has the metric "${metric}". ${remedy}`;
  }
  return names.size === 0 ? `The runs report no metrics: ${HOW}` : undefined;
}
