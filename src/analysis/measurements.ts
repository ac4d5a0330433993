import type { ArmSet, Observation } from "../design/arm-set.ts";
import type { Standing } from "../design/standing.ts";
import type { UnitKind } from "../design/unit.ts";
import type { Curve } from "../stats/index.ts";
import { settleFailures } from "./compare/settle-failures.ts";
import { type ArmEstimate, estimateArm } from "./estimate-arm.ts";

/** One run's number, and what is needed to put it beside others. */
export interface Measurement {
  id: string;
  arm: string;
  /** What runs of different arms share: a seed, a task, or the run itself where nothing is known of it. */
  unit: string;
  task: string | null;
  value: number;
  wallMs: number | null;
  costUsd: number | null;
  /** Where the metric is a series. */
  curve?: Curve;
}

/** What was measured, ready for any analysis. */
/** The axis of series whose points are tries of one thing, not a course over steps. */
export const ITERATIONS = "iteration";

export interface Measurements {
  study: string;
  metric: string;
  /** What the number is: a metric, or a summary of a series. */
  what: string;
  /** How a series became one number; null where the metric is one. */
  summary: string | null;
  unit: string | null;
  goal: "minimize" | "maximize" | null;
  /** What tells arms apart. */
  by: string[];
  /** All arms of the study, in its order, those without a number too. */
  arms: string[];
  /** The colour of each arm, the same in every chart of the study. */
  colours: Record<string, number>;
  /** What is counted. */
  counted: UnitKind;
  /** The values as comparisons take them. */
  set: ArmSet;
  /** The same of the metrics that the study also names, where its own question is asked. */
  also?: ArmSet[];
  runs: Measurement[];
  missing: { id: string; arm: string; why: string }[];
  /** The arm that the study calls its baseline. */
  baseline: string | null;
  /** Of series: the steps at which runs are compared. */
  window: { from: number; to: number } | null;
  /** What these steps count, where the program defined it. */
  axis?: string | undefined;
  cautions: string[];
  /** Whether what is made of it was asked for before the runs; null where no single study was. */
  standing: Standing | null;
}

/** Each arm in numbers: one value per unit. */
export function estimatesOf({ set }: Pick<Measurements, "set">): ArmEstimate[] {
  const settled = settleFailures(set);
  return settled.arms.map((arm) => estimateArm(arm, settled));
}

/** The same runs with another number each; a run without one is left out. */
export function withValues(
  measured: Measurements,
  numberOf: (run: Measurement) => number | null,
): Measurements {
  const runs = measured.runs.flatMap((run) => {
    const value = numberOf(run);
    return value === null ? [] : [{ ...run, value }];
  });
  const values = new Map(runs.map(({ id, value }) => [id, value]));
  const revalue = (one: Observation): Observation => ({ ...one, value: values.get(String(one.id)) ?? null });
  const arms = measured.set.arms.map(({ name, observations }) => ({
    name,
    observations: observations.map(revalue),
  }));
  return { ...measured, runs, set: { ...measured.set, arms } };
}

/** An axis' name: the unit in parentheses where there is one, and not twice. */
export function withUnit(name: string, unit: string | null): string {
  if (unit === null || unit === "" || unit === "1") return name;
  const ending = `_${unit.toLowerCase()}`;
  return `${name.toLowerCase().endsWith(ending) ? name.slice(0, -ending.length) : name} (${unit})`;
}

export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const members = groups.get(key);
    if (members) members.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
