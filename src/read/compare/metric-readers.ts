import { summariseRun } from "../../analysis/compare/summarise-run.ts";
import { commonWindow } from "../../analysis/curve-summary.ts";
import { readSeries, type Series } from "../../archive/read-series.ts";
import { UserError } from "../../core/errors.ts";
import { isPattern, type RunRecord } from "../../core/run.ts";
import { RUN_FILES, runDir, type StudyFile } from "../../core/study-folder.ts";
import { suggestion } from "../../core/suggest.ts";
import { type MetricSources, summandsOf } from "../../design/metric.ts";
import { type MetricReader, scalarReader } from "../../design/observe.ts";
import { comparedAs, mainMetric } from "../../design/statistic.ts";
import { unfold } from "../../design/unfold.ts";
import { factsOf, metricSources } from "../metric-info.ts";
import type { CompareRequest } from "./request.ts";

/** A study's runs, under the name that it has on the command line. */
export interface StudyRuns {
  label: string;
  dir: string;
  study: StudyFile | undefined;
  records: RunRecord[];
  /** How many runs these are, where several records are of one. */
  runs?: number;
}

/** Studies as a metric sees them whose name is a pattern (`build_us.{algorithm}`), and what it is called then. */
export async function unfoldStudies(
  studies: readonly StudyRuns[],
  { metrics: asked, summary }: CompareRequest,
): Promise<{ studies: readonly StudyRuns[]; metrics?: string[] }> {
  const records = studies.flatMap((study) => study.records);
  const main = asked ? null : mainMetric(records, await metricSources(studies[0]!.study)).name;
  const names = asked ?? (main === null ? [] : [main]);
  if (!names.some(isPattern)) return { studies };
  const [name] = names;
  if (names.length > 1 || summary)
    throw new UserError("--metric", {
      expected: "a pattern by itself, of single numbers",
      got: [...names, ...(summary ? ["--summary"] : [])].join(", "),
      remedy: "Ask for each pattern in a call of its own.",
    });
  const unfolded = studies.map((one) => ({ ...one, ...unfold(one, name!), runs: one.records.length }));
  if (unfolded.every((one) => one.records.length === 0))
    throw new UserError(`no run has a metric like "${name}"`, {
      remedy: "Braces stand for what varies in a name: build_us.{algorithm}.n{agents}.",
    });
  return { studies: unfolded, metrics: [unfolded[0]!.metric] };
}

/** The metrics that were asked for, or the one that the study is about. */
export async function metricReaders(
  studies: readonly StudyRuns[],
  request: CompareRequest,
): Promise<MetricReader[]> {
  const file = studies[0]!.study;
  const known = new Set<string>();
  for (const { records } of studies)
    for (const { metrics } of records) for (const name in metrics) known.add(name);
  const sources = await metricSources(file, request);
  const records = studies.flatMap((study) => study.records);
  const names = request.metrics ?? [mainOf(records, sources)];
  return Promise.all(
    names.map(async (asked) => {
      const { name, why } = request.summary
        ? { name: asked, why: null }
        : comparedAs(asked, records, sources);
      const facts = { ...(await factsOf(file, name, request)), ...(why !== null && { why }) };
      if (request.summary)
        return { ...facts, range: undefined, read: curveReader(studies, name, request.summary) };
      const isThere = (part: string) => known.has(part) || known.has(part.replace(/_mean$/, ""));
      const unknown = summandsOf(name, (part) => known.has(part)).find((part) => !isThere(part));
      if (unknown === undefined) return scalarReader(facts);
      throw new UserError(`no run has the metric "${unknown}"`, {
        remedy: known.size > 0 ? suggestion(unknown, known) : "A series needs --summary auc, for example.",
      });
    }),
  );
}

function mainOf(records: readonly RunRecord[], sources: MetricSources): string {
  const { name } = mainMetric(records, sources);
  if (name !== null) return name;
  throw new UserError("no metric was named, and no run has one", {
    remedy: "A series needs --metric NAME and --summary auc, for example.",
  });
}

/** All curves are cut at the same steps: a run that ended early is missing, not compared at other steps. */
function curveReader(
  studies: readonly StudyRuns[],
  name: string,
  summary: NonNullable<CompareRequest["summary"]>,
): MetricReader["read"] {
  const curves = new Map<string, Series>();
  for (const { dir, records } of studies) {
    for (const { id, outcome } of records) {
      const curve =
        outcome.status === "ok"
          ? readSeries(dir === "" ? id : `${runDir(dir, id)}/${RUN_FILES.series}`, name)
          : undefined;
      if (curve && curve.steps.length > 0) curves.set(`${dir}/${id}`, curve);
    }
  }
  if (curves.size === 0)
    throw new UserError(`no run has a series "${name}"`, {
      remedy: "Leave --summary out for a single number.",
    });
  const window = commonWindow([...curves.values()]);
  return ({ id }, dir) => {
    const curve = curves.get(`${dir}/${id}`);
    if (!curve) return null;
    const value = summariseRun(curve, { ...window, ...summary });
    return value.known ? value.value : null;
  };
}
