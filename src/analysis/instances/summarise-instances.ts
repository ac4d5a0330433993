import { isFailure, type RunRecord } from "../../core/run.ts";
import { type Interval, type Result, wilsonInterval } from "../../stats/index.ts";
import { groupBy } from "../measurements.ts";
import { shareInterval } from "../solving/pass-curve.ts";

/** What the runs of one arm of a study of agents come to, over all of its instances. */
export interface InstancesSummary {
  instances: number;
  /** Runs without a result, by whose fault it was: no part of any rate. */
  failed: Record<string, number>;
  /** What the study is about: instances whose patch passes the tests. */
  solveRate: Result<Interval>;
  /** Instances that handed something in, right or wrong. */
  submissionRate: Result<Interval>;
  emptyPatches: number;
  /** Sums of the metrics that are sums (`total_...`); null where one of the runs does not know its own. */
  totals: Record<string, number | null>;
  /** The same for an instance. */
  averages: Record<string, number | null>;
  /** Instances by how they ended. */
  exits: Record<string, number>;
}

/** Sums over runs, which is right however many workers ran them: nothing is shared between instances. */
export function summariseInstances(records: readonly RunRecord[]): InstancesSummary {
  const good = records.filter(({ outcome }) => !isFailure(outcome) && outcome.status !== "cancelled");
  const failed: Record<string, number> = {};
  for (const { outcome } of records)
    if (isFailure(outcome)) failed[outcome.owner ?? "agent"] = (failed[outcome.owner ?? "agent"] ?? 0) + 1;
  const instances = sumOf(good, "n_instances") ?? 0;
  const totals: Record<string, number | null> = {};
  const averages: Record<string, number | null> = {};
  const exits: Record<string, number> = {};
  for (const name of new Set(good.flatMap(({ metrics }) => Object.keys(metrics)))) {
    const sum = sumOf(good, name);
    if (name.startsWith("exit/")) exits[name.slice("exit/".length)] = sum ?? 0;
    if (!name.startsWith("total_")) continue;
    totals[name] = sum;
    averages[name.replace(/^total_/, "avg_")] = sum === null || instances === 0 ? null : sum / instances;
  }
  return {
    instances,
    failed,
    solveRate: rateOf(good, "n_solved"),
    submissionRate: rateOf(good, "n_submitted"),
    emptyPatches: sumOf(good, "n_empty_patches") ?? 0,
    totals,
    averages,
    exits,
  };
}

/**
 * A share of the instances with its interval. Runs of one task under several seeds are no independent tries, so tasks
 * are what is counted; runs of several instances tell only how many of them it were.
 */
function rateOf(records: readonly RunRecord[], name: string): Result<Interval> {
  const tries = sumOf(records, "n_instances") ?? 0;
  if (tries === 0 || tries !== records.length) return wilsonInterval(sumOf(records, name) ?? 0, tries);
  const tasks = groupBy(records, ({ task, seed }) => task ?? `seed ${seed}`);
  return shareInterval([...tasks.values()].map((own) => own.map(({ metrics }) => metrics[name] ?? 0)));
}

function sumOf(records: readonly RunRecord[], name: string): number | null {
  let sum = 0;
  for (const { metrics } of records) {
    const value = metrics[name];
    if (typeof value !== "number") return null;
    sum += value;
  }
  return sum;
}
