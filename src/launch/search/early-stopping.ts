import { UserError } from "../../core/errors.ts";
import { isFailure } from "../../core/run.ts";
import type { Search } from "../../core/space.ts";
import type { Ledger } from "../../search/shared/ledger.ts";
import type { PointBook, PointState } from "../../search/shared/point-book.ts";
import { fieldOf, makeJudge, stoppers } from "../../search/stoppers/index.ts";
import type { Race, RunSeries, Verdict } from "../../search/stoppers/stopper.ts";
import type { PreparedStudy } from "../prepare-study.ts";
import { type EndingRule, type Reported, reportedBy } from "../stopping-executor.ts";

/** How a search ends early what will not be among the best: single runs by their series, or points by their runs. */
interface EarlyStopping {
  judge?(race: Race): Verdict;
  isLost?(point: PointState, book: PointBook): string | undefined;
  /** How many points take turns. */
  field?: number | undefined;
}

/** A rule that compares piece by piece takes the runs of a point as the pieces, where a point has several. */
export function earlyStopping({ study, plan }: PreparedStudy): EarlyStopping | undefined {
  const { search, artifacts } = study;
  if (!search?.earlyStop) return undefined;
  const judge = makeJudge(search.earlyStop, search.points);
  const [objective] = search.objectives;
  if (!objective)
    throw new UserError("early stopping needs a metric", { remedy: "Name it: analysis: {metric, goal}." });
  const { kind } = search.earlyStop;
  if (stoppers[kind]?.isByPiece && plan.count() > 1) {
    const { metric, goal } = objective;
    const pieces = { metric, axisNames: plan.axisNames };
    const isLost = (point: PointState, { points }: PointBook) => {
      const others = points.filter((other) => other !== point).map((other) => piecesOf(other, pieces));
      const { stop, why } = judge({ run: piecesOf(point, pieces), others, goal });
      return stop ? `${kind}: ${why}` : undefined;
    };
    return { isLost, field: fieldOf(search.earlyStop) };
  }
  if (artifacts !== "all") {
    throw new UserError("early stopping reads the series of the runs, which this study does not keep", {
      expected: "artifacts: all",
      got: `artifacts: ${artifacts}`,
    });
  }
  return { judge };
}

/** One piece a good run of the point, named by all but the point itself: cell, seed, task and repeat. */
function piecesOf(
  { number, expected, results, cut }: PointState,
  { metric, axisNames }: { metric: string; axisNames: readonly string[] },
): RunSeries {
  const pieces = [...results.values()].flatMap(
    ({ params, variant, seed, task, repeat, metrics, outcome }) => {
      const value = metrics[metric];
      if (isFailure(outcome) || value === undefined) return [];
      const cell = axisNames.map((name) => params[name] ?? null);
      return [{ label: JSON.stringify([variant, seed, task, repeat, ...cell]), value: value ?? Number.NaN }];
    },
  );
  const isOver = results.size === expected;
  return {
    id: `point ${number}`,
    values: pieces.map(({ value }) => value),
    labels: pieces.map(({ label }) => label),
    state: cut !== undefined ? "stopped" : isOver ? "ok" : "running",
  };
}

export interface Track {
  studyDir: string;
  ledger: Ledger;
  book: PointBook;
  search: Search;
  judge(race: Race): Verdict;
}

/** Ends runs that will not be among the best, by their series and those of all others. */
export function endingRule({ studyDir, ledger, book, search, judge }: Track): EndingRule {
  const [objective] = search.objectives;
  if (!objective)
    throw new UserError("early stopping needs a metric", { remedy: "Name it: analysis: {metric}." });
  const { metric, goal } = objective;
  const { kind, countsValues } = search.earlyStop!;
  /** Series of attempts that have ended: they don't change. */
  const ended = new Map<string, RunSeries>();
  const asSeries = ({ id, values, steps }: Reported, state: RunSeries["state"]): RunSeries => ({
    ...{ id, state, values },
    ...(steps && !countsValues && { steps }),
  });
  const read = (id: string, state: RunSeries["state"]) =>
    asSeries(reportedBy(id, { studyDir, metric }), state);
  const othersThan = (id: string) => {
    const others: RunSeries[] = [];
    // A run that is done again has a result, too, and equal points share their runs.
    const seen = new Set([id]);
    for (const { run } of ledger.claims()) {
      if (!seen.has(run.id)) others.push(read(run.id, "running"));
      seen.add(run.id);
    }
    for (const { results } of book.points)
      for (const { id: over, outcome, attempt } of results.values()) {
        if (seen.has(over)) continue;
        seen.add(over);
        const state = outcome.status === "ok" || outcome.status === "stopped" ? outcome.status : "failed";
        const key = `${over} ${attempt}`;
        const series = ended.get(key) ?? ended.set(key, read(over, state)).get(key)!;
        others.push(series);
      }
    return others;
  };
  return {
    ...{ kind, studyDir, metric, keepsLast: true },
    judge: (run) => judge({ run: asSeries(run, "running"), others: othersThan(run.id), goal }),
  };
}
