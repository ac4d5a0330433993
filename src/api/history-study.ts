import type { StepOptions } from "../analysis/history/detect-steps.ts";
import { groupPoints } from "../analysis/history/group-points.ts";
import type { HistoryFindings, HistoryPoint, PastRun, PointKind } from "../analysis/history/history.ts";
import { UserError } from "../core/errors.ts";
import type { RunRecord } from "../core/run.ts";
import { suggestion } from "../core/suggest.ts";
import { type MetricSources, metricFacts } from "../design/metric.ts";
import { type ComparedAs, comparedAs, mainMetric } from "../design/statistic.ts";
import { historySources } from "../read/history-sources.ts";
import { metricSources } from "../read/metric-info.ts";

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
  const { runs, study } = historySources(names, { kind: points, ...(outRoot !== undefined && { outRoot }) });
  const records = runs.map(({ record }) => record);
  const sources = await metricSources(study, request);
  const { name, why } = chooseMetric(records, request.metric, sources);
  const metric = metricFacts(name, sources);
  const { cells, left } = groupPoints(runs, {
    ...{ ...options, metric, shape: study?.study, where },
    ...(since !== undefined && { isWanted: sinceRule(runs, since) }),
  });
  return {
    ...{ metric: name, why, unit: metric.unit, goal: metric.goal, points },
    cells: cells.filter((cell) => cell.points.length > 1),
    single: cells.filter((cell) => cell.points.length < 2).length,
    left,
  };
}

/** The metric that was asked for, or what a comparison of these runs would be about. */
function chooseMetric(
  records: readonly RunRecord[],
  asked: string | undefined,
  sources: MetricSources,
): ComparedAs {
  const known = new Set<string>();
  for (const { metrics } of records) for (const name in metrics) known.add(name);
  if (known.size === 0)
    throw new UserError("none of these runs has a metric", {
      remedy: "`assay status` says why runs failed.",
    });
  if (asked !== undefined && !known.has(asked) && !known.has(asked.replace(/_mean$/, "")))
    throw new UserError(`no run has a metric "${asked}"`, { remedy: suggestion(asked, known) });
  if (asked !== undefined) return comparedAs(asked, records, sources);
  const { name, why } = mainMetric(records, sources);
  return name === null ? comparedAs([...known][0]!, records, sources) : { name, why };
}

/** From a commit on, told by its first digits, or from a date on. */
function sinceRule(runs: readonly PastRun[], since: string): (point: HistoryPoint) => boolean {
  const times = runs
    .filter(({ state }) => /^[0-9a-f]{4,40}$/.test(since) && state.commit?.startsWith(since))
    .map(({ state, record }) => state.committedAtMs ?? record.startedAtMs);
  const fromMs = times.length > 0 ? Math.min(...times) : Date.parse(since);
  if (Number.isNaN(fromMs))
    throw new UserError("--since", {
      expected: "a measured commit, or a date such as 2026-01-31",
      got: JSON.stringify(since),
    });
  return ({ atMs }) => atMs >= fromMs;
}
