import { pointEvaluator } from "../../core/evaluate-point.ts";
import type { Search } from "../../core/space.ts";
import type { PointBook, PointState } from "./point-book.ts";
import type { Ending } from "./sweep-source.ts";

/** So many runs without a single good one, or points without the metric, end a search: the rest would be no better. */
const HOPELESS = 5;

/**
 * Why a search should propose nothing more; undefined while it may go on. A defeat takes as many tries in each launch:
 * whoever runs a search again may have mended what was wrong.
 */
export function isEnough(search: Search): (book: PointBook) => Ending | undefined {
  const { objectives } = search;
  const reachedBy = targetJudge(search);
  let read = 0;
  const judged = new Set<PointState>();
  const blind = new Set<PointState>();
  const reached = new Map<PointState, string>();
  return ({ points, finished, news, ended, sinceLaunch }) => {
    if (search.points !== undefined && points.length >= search.points)
      return { why: `all ${search.points} points have been proposed` };
    for (; read < news.length; read++) {
      const point = news[read]!;
      judged.add(point);
      if (hasMetrics(point)) blind.delete(point);
      else blind.add(point);
      const why = reachedBy(point);
      if (why === undefined) reached.delete(point);
      else reached.set(point, why);
    }
    for (const why of reached.values()) return { why };
    if (ended.ok === 0 && sinceLaunch.failed >= HOPELESS)
      return { why: `all ${ended.failed} runs so far have failed`, isDefeat: true };
    const isBlind = blind.size === judged.size && objectives.length > 0;
    if (isBlind && sinceLaunch.news >= HOPELESS && judged.size >= HOPELESS && ended.ok > 0) {
      const wanted = objectives.map(({ metric }) => metric).join(" and ");
      const why = `none of ${judged.size} finished points has ${wanted}; the runs report ${reportedBy(finished) || "no metric at all"}`;
      return { why, isDefeat: true };
    }
    return undefined;
  };

  function hasMetrics({ results }: PointState): boolean {
    return [...results.values()].some(({ metrics }) =>
      objectives.every(({ metric }) => metrics[metric] !== undefined),
    );
  }
}

/** What a point has reached: one whose every run is good and that keeps the constraints. */
function targetJudge(search: Search): (point: PointState) => string | undefined {
  const evaluate = pointEvaluator(search);
  const isWanted = search.objectives.some(({ target }) => target !== undefined);
  return ({ results, cut }) => {
    const runs = [...results.values()];
    if (!isWanted || cut !== undefined || runs.some(({ outcome }) => outcome.status !== "ok"))
      return undefined;
    const { state, values, violation } = evaluate(runs);
    if (state !== "ok" || violation > 0) return undefined;
    for (const [i, { metric, goal, target }] of search.objectives.entries()) {
      const value = values[i]!;
      if (target !== undefined && (goal === "minimize" ? value <= target : value >= target))
        return `${metric} has reached ${value} (target ${target})`;
    }
    return undefined;
  };
}

function reportedBy(finished: PointBook["finished"]): string {
  const names = finished.flatMap(({ results }) =>
    [...results.values()].flatMap(({ metrics }) => Object.keys(metrics)),
  );
  return [...new Set(names)].slice(0, 8).join(", ");
}
