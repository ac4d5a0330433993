import { UserError } from "../../core/errors.ts";
import type { PointBook, PointState } from "../../engine/sweep/point-book.ts";
import type { PreparedStudy } from "../../launch/prepare-study.ts";
import { makeJudge } from "../../stoppers/index.ts";
import type { Race, RunSeries, Verdict } from "../../stoppers/stopper.ts";

/** How a search ends early what will not be among the best: single runs by their series, or points by their runs. */
interface EarlyStopping {
  judge?(race: Race): Verdict;
  isLost?(point: PointState, book: PointBook): string | undefined;
}

/** A rule that compares piece by piece takes the runs of a point as the pieces, where a point has several. */
export function earlyStopping({ study, plan }: PreparedStudy): EarlyStopping | undefined {
  const { search, artifacts } = study;
  if (!search?.earlyStop) return undefined;
  const judge = makeJudge(search.earlyStop);
  const [objective] = search.objectives;
  if (!objective)
    throw new UserError("early stopping needs a metric", { remedy: "Name it: analysis: {metric, goal}." });
  if (search.earlyStop.kind === "wilcoxon" && plan.count() > 1) {
    const { metric, goal } = objective;
    const pieces = { metric, axisNames: plan.axisNames };
    const isLost = (point: PointState, { points }: PointBook) => {
      const others = points.filter((other) => other !== point).map((other) => piecesOf(other, pieces));
      const { stop, why } = judge({ run: piecesOf(point, pieces), others, goal });
      return stop ? `wilcoxon: ${why}` : undefined;
    };
    return { isLost };
  }
  if (artifacts !== "all") {
    throw new UserError("early stopping reads the series of the runs, which this study does not keep", {
      expected: "artifacts: all",
      got: `artifacts: ${artifacts}`,
    });
  }
  return { judge };
}

/** One piece a run of the point, named by all but the point itself: cell, seed and task. */
function piecesOf(
  { number, expected, results, cut }: PointState,
  { metric, axisNames }: { metric: string; axisNames: readonly string[] },
): RunSeries {
  const pieces = [...results.values()].flatMap(({ params, variant, seed, task, metrics }) => {
    const value = metrics[metric];
    const label = JSON.stringify([variant, seed, task, ...axisNames.map((name) => params[name] ?? null)]);
    return typeof value === "number" ? [{ label, value }] : [];
  });
  const isOver = results.size === expected;
  return {
    id: `point ${number}`,
    values: pieces.map(({ value }) => value),
    labels: pieces.map(({ label }) => label),
    state: cut !== undefined ? "stopped" : isOver ? "ok" : "running",
  };
}
