import type { Search } from "../../core/space.ts";
import type { PointBook } from "./point-book.ts";
import type { Ending } from "./sweep-source.ts";

/** So many runs without a single good one, or points without the metric, end a search: the rest would be no better. */
const HOPELESS = 5;

/** Why a search should propose nothing more; undefined while it may go on. */
export function isEnough(
  search: Search,
  limits: { costUsd?: number },
): (book: PointBook) => Ending | undefined {
  const { objectives } = search;
  let judged = 0;
  let withMetric = 0;
  let reached: string | undefined;
  return ({ points, finished, ended, costUsd }) => {
    if (search.points !== undefined && points.length >= search.points)
      return { why: `all ${search.points} points have been proposed` };
    if (limits.costUsd !== undefined && costUsd >= limits.costUsd)
      return { why: `it has cost $${costUsd.toFixed(2)} of $${limits.costUsd}` };
    for (; judged < finished.length; judged++) {
      const metrics = [...finished[judged]!.results.values()].map((result) => result.metrics);
      if (metrics.some((row) => objectives.every(({ metric }) => typeof row[metric] === "number")))
        withMetric++;
      for (const { metric, goal, target } of objectives) {
        if (target === undefined) continue;
        const values = metrics.flatMap((row) => (typeof row[metric] === "number" ? [row[metric]] : []));
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        if (goal === "minimize" ? mean <= target : mean >= target)
          reached = `${metric} has reached ${mean} (target ${target})`;
      }
    }
    if (reached !== undefined) return { why: reached };
    if (ended.failed >= HOPELESS && ended.ok === 0)
      return { why: `all ${ended.failed} runs so far have failed`, isDefeat: true };
    if (judged >= HOPELESS && withMetric === 0 && objectives.length > 0 && ended.ok > 0) {
      const wanted = objectives.map(({ metric }) => metric).join(" and ");
      const why = `none of ${judged} finished points has ${wanted}; the runs report ${reportedBy(finished) || "no metric at all"}`;
      return { why, isDefeat: true };
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
