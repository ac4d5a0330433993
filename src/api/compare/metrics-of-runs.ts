import { commonWindow } from "../../analysis/common-window.ts";
import { summariseRun } from "../../analysis/compare/summarise-run.ts";
import { readSeries, type Series } from "../../archive/read-series.ts";
import { UserError } from "../../core/errors.ts";
import type { RunRecord } from "../../core/run.ts";
import { suggestion } from "../../core/suggest.ts";
import type { CompareRequest } from "./request.ts";
import type { StudyRuns } from "./study-arms.ts";

/** A number that a run has: one of its metrics, or a summary of one of its series. */
export interface RunMetric {
  name: string;
  goal: "minimize" | "maximize" | null;
  read(record: RunRecord, studyDir: string): number | null;
}

/** The metrics that were asked for, or the one that the study is about. */
export async function metricsOf(
  studies: readonly StudyRuns[],
  request: CompareRequest,
): Promise<RunMetric[]> {
  const analysis = studies[0]!.study?.study.analysis;
  const known = new Set<string>();
  for (const { records } of studies)
    for (const { metrics } of records) for (const name in metrics) known.add(name);
  const names = request.metrics ?? (analysis?.metric ? [analysis.metric] : onlyOne(known));
  return Promise.all(
    names.map(async (name) => {
      const goal =
        request.goals?.[name] ??
        request.goal ??
        (name === analysis?.metric ? analysis.goal : undefined) ??
        (await targetGoal(studies, name));
      if (request.summary) return { name, goal, read: curveReader(studies, name, request.summary) };
      if (!known.has(name)) {
        throw new UserError(`no run has the metric "${name}"`, {
          remedy: known.size > 0 ? suggestion(name, known) : "A series needs --summary auc, for example.",
        });
      }
      return { name, goal, read: (record: RunRecord) => record.metrics[name] ?? null };
    }),
  );
}

function onlyOne(known: Set<string>): string[] {
  if (known.size === 1) return [...known];
  throw new UserError("no metric was named, and the study has no analysis.metric", {
    remedy: `Add --metric NAME. Known: ${[...known].join(", ") || "none"}.`,
  });
}

/** Loaded only here: a study that says its goal, or a target of the user's, needs none of it. */
async function targetGoal(studies: readonly StudyRuns[], metric: string): Promise<RunMetric["goal"]> {
  const study = studies[0]!.study;
  if (study?.study.target.kind !== "shipped") return null;
  return (await (await import("../metric-info.ts")).metricInfo(study, metric)).goal;
}

/** All curves are cut at the same steps: a run that ended early is missing, not compared at other steps. */
function curveReader(
  studies: readonly StudyRuns[],
  name: string,
  summary: NonNullable<CompareRequest["summary"]>,
): RunMetric["read"] {
  const curves = new Map<string, Series>();
  for (const { dir, records } of studies) {
    for (const { id, outcome } of records) {
      const curve = outcome.status === "ok" ? readSeries(`${dir}/runs/${id}/series.jsonl`, name) : undefined;
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
