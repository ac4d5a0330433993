import { pointEvaluator } from "../../core/evaluate-point.ts";
import { canonicalJson } from "../../core/hash.ts";
import { flattenParams } from "../../core/nest-params.ts";
import type { Params } from "../../core/params.ts";
import { isFailure, type RunRecord } from "../../core/run.ts";
import type { Search } from "../../core/space.ts";
import type { Study } from "../../core/study.ts";
import { type Interval, type Result, tInterval, unknownBecause } from "../../stats/index.ts";

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
  /** The mean of each objective over units; empty where it failed. */
  values: number[];
  intervals: Result<Interval>[];
  /** Each objective's value by unit: by seed, mostly. */
  units: Map<string, number>[];
  /** How many units, and what they are. */
  n: number;
  unit: "seed" | "task" | "repeat";
  /** Constraints that the means miss. */
  violation: number;
  runs: { ended: number; failed: number; stopped: number };
}

export interface SearchStudy extends Pick<Study, "axes" | "where"> {
  search: Search;
}

/** The points of a search, from the records of its runs. */
export function searchPoints(
  { search, axes, where }: SearchStudy,
  records: readonly RunRecord[],
): SearchPoint[] {
  const groups = new Map<string, { params: Params; runs: RunRecord[] }>();
  for (const record of records) {
    const params = flattenParams(record.params, search.space);
    const key = canonicalJson(params);
    const group = groups.get(key) ?? { params, runs: [] };
    group.runs.push(record);
    groups.set(key, group);
  }
  const evaluate = pointEvaluator(search);
  const points = [...groups.values()]
    .map(({ params, runs }) => ({
      params,
      runs: runs.filter(({ outcome }) => outcome.status !== "cancelled" && outcome.status !== "skipped"),
    }))
    .filter(({ runs }) => runs.length > 0)
    .map(({ params, runs }, i): SearchPoint => {
      const { standardErrors: _, ...worth } = evaluate(runs);
      return {
        ...{ number: i + 1, name: `p${i + 1}`, params, ...worth },
        intervals: worth.units.map((unit) => intervalOf([...unit.values()])),
        runs: {
          ended: runs.length,
          failed: runs.filter(({ outcome }) => isFailure(outcome)).length,
          stopped: runs.filter(({ outcome }) => outcome.status === "stopped").length,
        },
      };
    });
  // Where conditions decide how many runs a point has, having fewer than another says nothing.
  if (where !== undefined || axes.some(({ when }) => when !== undefined)) return points;
  const most = points.reduce((a, { runs }) => Math.max(a, runs.ended), 0);
  return points.map((point) =>
    point.state === "ok" && point.runs.ended < most ? { ...point, state: "unfinished" } : point,
  );
}

function intervalOf(values: readonly number[]): Result<Interval> {
  return values.length < 2 ? unknownBecause("it has one value only (one seed)") : tInterval(values);
}
