import { pointEvaluator } from "../../core/evaluate-point.ts";
import type { RunRecord } from "../../core/run.ts";
import type { Objective, Search } from "../../core/space.ts";
import type { Arm, ArmSet, Observation } from "../../design/arm-set.ts";
import { metricFacts } from "../../design/metric.ts";
import { type Interval, type Result, tInterval, unknownBecause } from "../../stats/index.ts";
import { type Compared, compareArms } from "../compare/compare-arms.ts";
import { lossOf } from "./rank-points.ts";

/** A point that was measured again. */
export interface ConfirmArm {
  name: string;
  /** The confirming study's variants that are this point. */
  variants: string[];
  /** What the search said of each objective; empty where it never tried the point. */
  searched: number[];
}

export interface ConfirmedPoint extends Pick<ConfirmArm, "name" | "searched"> {
  n: number;
  /** Runs without a value. */
  failed: number;
  /** One for each objective, on fresh seeds; null where no run gave a value. */
  fresh: (number | null)[];
  intervals: Result<Interval>[];
  /** How much better than on fresh seeds the search's value looked; below 0 it was too modest. */
  optimism: Result<{ value: number; low: number; high: number }>[];
  keepsConstraints: boolean;
}

export interface Confirmation {
  points: ConfirmedPoint[];
  baseline: string;
  /** Every point against the baseline, paired by seed; null with one point. */
  compared: Compared | null;
}

/** What fresh seeds say of points that a search chose. */
export function confirmPoints(
  records: readonly RunRecord[],
  { arms, baseline, search }: { arms: readonly ConfirmArm[]; baseline: string; search: Search },
): Confirmation {
  const runsOf = new Map(
    arms.map(({ name, variants }) => [name, records.filter(({ variant }) => variants.includes(variant))]),
  );
  const { objectives } = search;
  const evaluate = pointEvaluator(search);
  const sets = objectives.map(
    (objective): ArmSet => ({
      ...{ metric: objective.metric, part: null, goal: objective.goal },
      arms: arms.map(({ name }) => armOf(name, runsOf.get(name)!, objective)),
      ...{ keys: ["seed"], hasRollouts: false, isAsked: true },
      isLeastTime: metricFacts(objective.metric).isLeastTime,
    }),
  );
  const points = arms.map(({ name, searched }): ConfirmedPoint => {
    const columns = sets.map((set) =>
      set.arms.find((arm) => arm.name === name)!.observations.flatMap(({ value }) => value ?? []),
    );
    const runs = runsOf.get(name)!;
    const intervals = columns.map((values) => tInterval(values));
    return {
      ...{ name, searched, intervals },
      n: Math.min(...columns.map(({ length }) => length)),
      failed: runs.filter(({ outcome }) => outcome.status !== "ok").length,
      fresh: columns.map((values) => (values.length === 0 ? null : average(values))),
      optimism: intervals.map((interval, k) => optimismOf(interval, searched[k], objectives[k]!)),
      keepsConstraints: evaluate(runs).violation === 0,
    };
  });
  const compared = arms.length > 1 ? compareArms(sets, { baseline }) : null;
  return { points, baseline, compared };
}

/** A seed counts where all of its runs succeeded: half of a seed's cells is another question. */
function armOf(name: string, runs: readonly RunRecord[], { metric }: Objective): Arm {
  const seeds = new Map<number, RunRecord[]>();
  for (const run of runs) seeds.set(run.seed, [...(seeds.get(run.seed) ?? []), run]);
  const observations = [...seeds].map(([seed, own]): Observation => {
    const values = own.map(({ metrics, outcome }) =>
      outcome.status === "ok" && Object.hasOwn(metrics, metric) ? metrics[metric]! : null,
    );
    const bad = own.find(({ outcome }) => outcome.status !== "ok");
    const isWhole = values.every((value) => value !== null);
    return {
      ...{ id: own[0]!.id, unit: String(seed), value: isWhole ? average(values as number[]) : null },
      ...(!isWhole && { owner: bad?.outcome.owner ?? "unknown" }),
    };
  });
  return { name, observations };
}

/** The search's number is what it is: how far it was off is as sure as the mean on fresh seeds. */
function optimismOf(
  interval: Result<Interval>,
  searched: number | undefined,
  { goal }: Objective,
): ConfirmedPoint["optimism"][number] {
  if (searched === undefined) return unknownBecause("the search never tried it");
  if (!interval.known) return interval;
  const off = (fresh: number) => lossOf(fresh, { goal }) - lossOf(searched, { goal });
  const [a, b] = [off(interval.low), off(interval.high)];
  return { known: true, value: off(interval.estimate), low: Math.min(a, b), high: Math.max(a, b) };
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
