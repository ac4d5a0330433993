import { UserError } from "../../core/errors.ts";
import { shortHash } from "../../core/hash.ts";
import type { Params } from "../../core/params.ts";
import { hashOf, isFailure, type Run } from "../../core/run.ts";
import type { Search } from "../../core/space.ts";
import { slotHash } from "../../plan/identify.ts";
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

/**
 * A rule that compares piece by piece takes the runs of a point as the pieces, where a point has several. `runsOf` gives
 * them in the order in which they are handed out.
 */
export function earlyStopping(
  { study, plan }: PreparedStudy,
  runsOf: (params: Params) => Iterable<Run>,
): EarlyStopping | undefined {
  const { search, artifacts } = study;
  if (!search?.earlyStop) return undefined;
  const judge = makeJudge(search.earlyStop, search.points);
  const [objective] = search.objectives;
  if (!objective)
    throw new UserError("early stopping needs a metric", { remedy: "Name it: analysis: {metric, goal}." });
  const { kind } = search.earlyStop;
  if (stoppers[kind]?.isByPiece && plan.count() > 1) {
    const { metric, goal } = objective;
    const piecesOf = piecesBy({ metric, axisNames: plan.axisNames, runsOf });
    const isLost = (point: PointState, { points }: PointBook) => {
      const others = points.filter((other) => other !== point).map(piecesOf);
      const { stop, why } = judge({ run: piecesOf(point), others, goal });
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

/** The runs of a point in a random order that is the same for all points: in a file the easy tasks may come first. */
export function shufflePieces(
  runs: Iterable<Run>,
  { seed, axisNames }: { seed: number; axisNames: readonly string[] },
): Run[] {
  const keyed = Array.from(runs, (run) => ({ run, key: shortHash(`${seed} ${slotHash(run, axisNames)}`) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ run }) => run);
}

/**
 * The good runs of a point, each known by its place in the matrix (cell, seed, task and repeat), in the order in which they
 * were handed out, up to the first one that has not ended. One that ended sooner waits for it: else quick tasks would
 * count first, and a verdict would depend on how long each run took.
 */
function piecesBy(setting: {
  metric: string;
  axisNames: readonly string[];
  runsOf(params: Params): Iterable<Run>;
}): (point: PointState) => RunSeries {
  const { metric, axisNames, runsOf } = setting;
  const known = new WeakMap<PointState, { hash: string; label: string }[]>();
  const orderOf = ({ params }: PointState) =>
    Array.from(runsOf(params), (run) => ({ hash: hashOf(run.id), label: slotHash(run, axisNames) }));
  return (point) => {
    const { number, expected, results, cut } = point;
    const order = known.get(point) ?? known.set(point, orderOf(point)).get(point)!;
    const values: number[] = [];
    const labels: string[] = [];
    for (const { hash, label } of order) {
      const result = results.get(hash);
      if (!result) break;
      const value = result.metrics[metric];
      if (isFailure(result.outcome) || value === undefined) continue;
      values.push(value ?? Number.NaN);
      labels.push(label);
    }
    const state = cut !== undefined ? "stopped" : results.size === expected ? "ok" : "running";
    return { id: `point ${number}`, values, labels, state };
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
