import type { StepOptions } from "../analysis/history/detect-steps.ts";
import { groupPoints } from "../analysis/history/group-points.ts";
import type { HistoryFindings, HistoryPoint, Measurement, PointKind } from "../analysis/history/history.ts";
import { UserError } from "../core/errors.ts";
import { parseExpression } from "../core/expression.ts";
import { suggestion } from "../core/suggest.ts";
import { comparedAs, metricValue } from "../design/metric.ts";
import type { PastRun } from "../read/history-runs.ts";
import { historySources } from "../read/history-sources.ts";
import { factsOf, metricSources } from "../read/metric-info.ts";

export interface HistoryRequest extends StepOptions {
  metric?: string;
  goal?: "minimize" | "maximize";
  /** What a point is; a commit unless told. */
  points?: PointKind;
  /** A commit or a date: what was before is not looked at. */
  since?: string;
  where?: string;
  outRoot?: string;
}

/** How a metric went over the commits, cell by cell, and where it changed its level. */
export async function historyStudy(
  names: readonly string[],
  request: HistoryRequest = {},
): Promise<HistoryFindings> {
  const { points = "commit", where, since, outRoot, ...options } = request;
  const sources = historySources(names, { kind: points, ...(outRoot !== undefined && { outRoot }) });
  const runs = where === undefined ? sources.runs : chosen(sources.runs, where);
  const asked = chooseMetric(runs, request.metric ?? sources.study?.study.analysis.metric, request);
  const { name: metric, why } = comparedAs(asked, runs, await metricSources(sources.study, request));
  const facts = await factsOf(sources.study, metric, request);
  const measured = runs.filter((run) => run.isOk && metricValue(run.metrics, metric) !== null);
  const cells = groupPoints(
    measured.map((run) => measurementOf(run, metric)),
    { ...options, ...(since !== undefined && { isWanted: sinceRule(measured, since) }) },
  );
  return {
    ...{ metric, why, unit: facts.unit, goal: facts.goal, points },
    cells: cells.filter((cell) => cell.points.length > 1),
    single: cells.filter((cell) => cell.points.length < 2).length,
    left: runs.length - measured.length,
  };
}

function measurementOf(
  { target, params, variant, state, startedAtMs, metrics, iterations }: PastRun,
  metric: string,
): Measurement {
  // Only a mean has an interval by the spread of what it is the mean of.
  const sd = metrics[`${metric}_sd`];
  const within = typeof sd === "number" && iterations > 1 ? { sd, n: iterations } : null;
  return { target, params, variant, state, startedAtMs, value: metricValue(metrics, metric)!, within };
}

function chooseMetric(
  runs: readonly PastRun[],
  wanted: string | undefined,
  { metric }: HistoryRequest,
): string {
  const known = new Set<string>();
  for (const run of runs) for (const name in run.metrics) known.add(name);
  if (known.size === 0)
    throw new UserError("none of these runs has a metric", {
      remedy: "`assay status` says why runs failed.",
    });
  if (wanted !== undefined && (known.has(wanted) || known.has(wanted.replace(/_mean$/, "")))) return wanted;
  if (metric !== undefined)
    throw new UserError(`no run has a metric "${metric}"`, { remedy: suggestion(metric, known) });
  return known.has("duration_ms") ? "duration_ms" : [...known][0]!;
}

function chosen(runs: readonly PastRun[], where: string): PastRun[] {
  const names = new Set(["variant"]);
  for (const { params } of runs) for (const name in params) names.add(name);
  const condition = parseExpression(where, [...names]);
  const kept = runs.filter(({ params, variant }) => condition.holds({ ...params, variant }));
  if (kept.length === 0) throw new UserError(`no run satisfies ${JSON.stringify(where)}`);
  return kept;
}

/** From a commit on, told by its first digits, or from a date on. */
function sinceRule(runs: readonly PastRun[], since: string): (point: HistoryPoint) => boolean {
  const times = runs
    .filter(({ state }) => /^[0-9a-f]{4,40}$/.test(since) && state.commit?.startsWith(since))
    .map(({ state, startedAtMs }) => state.committedAtMs ?? startedAtMs);
  const fromMs = times.length > 0 ? Math.min(...times) : Date.parse(since);
  if (Number.isNaN(fromMs))
    throw new UserError("--since", {
      expected: "a measured commit, or a date such as 2026-01-31",
      got: JSON.stringify(since),
    });
  return ({ atMs }) => atMs >= fromMs;
}
