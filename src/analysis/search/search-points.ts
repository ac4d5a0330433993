import { pointEvaluator } from "../../core/evaluate-point.ts";
import { canonicalJson } from "../../core/hash.ts";
import { flattenParams } from "../../core/nest-params.ts";
import type { Params } from "../../core/params.ts";
import { faultOf, isFailure, type RunRecord } from "../../core/run.ts";
import type { Search } from "../../core/space.ts";
import type { Study } from "../../core/study.ts";
import type { Observation } from "../../design/arm-set.ts";
import { type MetricFacts, metricValue } from "../../design/metric.ts";
import { blockText, chooseUnit, type UnitKind, unitLevel } from "../../design/unit.ts";
import { type Interval, type Result, tInterval, unknownBecause } from "../../stats/index.ts";
import type { Means } from "../compare/order-arms.ts";
import { settleFailures } from "../compare/settle-failures.ts";
import { type ArmEstimate, estimateArm } from "../estimate-arm.ts";

/** One point that a search tried, with what its runs came to. */
export interface SearchPoint {
  /** From 1, in the order in which points first had a result; the journal only grows, so it stays. */
  number: number;
  /** `p12`. */
  name: string;
  /** Flat by parameter name, only the active ones. */
  params: Params;
  /** "stopped": ended early by a rule, so its values are no full results; "unfinished": some of its runs are not done. */
  state: "ok" | "stopped" | "unfinished" | "failed";
  /** The mean of each objective over units, as a comparison of the points has it; empty where it failed. */
  values: number[];
  intervals: Result<Interval>[];
  /** Each objective's value by unit: by seed, mostly. */
  units: Map<string, number>[];
  /** How many units, and what they are. */
  n: number;
  unit: UnitKind;
  /** Constraints that the means miss. */
  violation: number;
  runs: { ended: number; failed: number; stopped: number };
}

export interface SearchStudy extends Pick<Study, "axes" | "where" | "order"> {
  search: Search;
  /** What is known of a metric: a failed run counts as what it counts as in a comparison. */
  factsOf?: (metric: string) => MetricFacts;
}

/** The points of a search, from the records of its runs, and by which means those of its first objective are compared. */
export function searchPoints(
  study: SearchStudy,
  records: readonly RunRecord[],
): { points: SearchPoint[]; means: Means } {
  const { search, axes, where } = study;
  const groups = new Map<string, { params: Params; runs: RunRecord[] }>();
  for (const record of records) {
    const params = flattenParams(record.params, search.space);
    const key = canonicalJson(params);
    const group = groups.get(key) ?? { params, runs: [] };
    group.runs.push(record);
    groups.set(key, group);
  }
  const evaluate = pointEvaluator(search);
  const tried = [...groups.values()]
    .map(({ params, runs }) => ({
      params,
      runs: runs.filter(({ outcome }) => outcome.status !== "cancelled" && outcome.status !== "skipped"),
    }))
    .filter(({ runs }) => runs.length > 0);
  const { unit, estimates, means } = estimatePoints(
    tried.map(({ runs }) => runs),
    study,
  );
  const points = tried.map(({ params, runs }, i): SearchPoint => {
    const { standardErrors: _, ...worth } = evaluate(runs);
    const arms = estimates.map((ofObjective) => ofObjective[i]!);
    // A run that was ended early has no result to compare, and a point without one has nothing at all.
    const isCompared = worth.state === "ok" && arms.every(({ mean }) => mean !== null);
    return {
      ...{ number: i + 1, name: `p${i + 1}`, params, ...worth },
      ...(isCompared
        ? asCompared(arms, unit)
        : { intervals: worth.units.map((values) => intervalOf([...values.values()])) }),
      runs: {
        ended: runs.length,
        failed: runs.filter(({ outcome }) => isFailure(outcome)).length,
        stopped: runs.filter(({ outcome }) => outcome.status === "stopped").length,
      },
    };
  });
  // Where conditions decide how many runs a point has, having fewer than another says nothing.
  if (where !== undefined || axes.some(({ when }) => when !== undefined)) return { points, means };
  const most = points.reduce((a, { runs }) => Math.max(a, runs.ended), 0);
  return {
    points: points.map((point) =>
      point.state === "ok" && point.runs.ended < most ? { ...point, state: "unfinished" } : point,
    ),
    means,
  };
}

/** Every point as an arm of a comparison, objective by objective: what is counted, and what a failure counts as, is one for all. */
function estimatePoints(
  points: readonly RunRecord[][],
  { search, axes, order, factsOf }: SearchStudy,
): { unit: UnitKind; estimates: ArmEstimate[][]; means: Means } {
  const runs = points.flat();
  const count = (of: (run: RunRecord) => unknown) => new Set(runs.map(of)).size;
  const blocks = axes.flatMap(({ names }) => names);
  const tasks = count(({ task }) => task);
  const unit = chooseUnit({
    ...{ tasks, seeds: count(({ seed }) => seed), repeats: count(({ repeat }) => repeat) },
    ...{ isInterleaved: order === "interleaved", hasBlocks: blocks.length > 0 },
  });
  const place = { blocks, unit, taskName: "task", hasTasks: tasks > 1, task: undefined };
  const sets = search.objectives.map(({ metric, goal }) => {
    const { range, failure, scale, isLeastTime } = factsOf?.(metric) ?? {};
    const arms = points.map((own, i) => ({
      name: String(i),
      observations: own.map((run): Observation => {
        const owner = faultOf(run.outcome);
        return {
          id: run.id,
          value: owner === undefined ? metricValue(run.metrics, metric) : null,
          unit: unitLevel(run, unit, undefined, blocks),
          block: blockText(run, place),
          owner,
        };
      }),
    }));
    return settleFailures({
      ...{ metric, part: null, arms, keys: [unit], hasRollouts: true, isAsked: false, goal },
      ...{ range, failure, scale, isLeastTime },
    });
  });
  return {
    unit,
    estimates: sets.map((set) => set.arms.map((arm) => estimateArm(arm, set))),
    means: sets[0] ?? { scale: "difference", centre: "mean" },
  };
}

function asCompared(
  arms: readonly ArmEstimate[],
  unit: UnitKind,
): Pick<SearchPoint, "values" | "intervals" | "units" | "n" | "unit"> {
  return {
    values: arms.map(({ mean }) => mean!),
    intervals: arms.map(({ interval, values }) => (interval.known ? interval : intervalOf(values))),
    units: arms.map(({ units, values }) => new Map(units.map((name, i) => [name, values[i]!]))),
    n: Math.min(...arms.map(({ units }) => units.length)),
    unit,
  };
}

function intervalOf(values: readonly number[]): Result<Interval> {
  return values.length < 2 ? unknownBecause("it has one value only (one seed)") : tInterval(values);
}
