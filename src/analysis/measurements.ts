import type { Curve } from "../stats/index.ts";

/** One run's number, and what is needed to put it beside others. */
export interface Measurement {
  id: string;
  arm: string;
  /** What runs of different arms share: a seed, or the run itself where nothing is known of it. */
  unit: string;
  /** Parameters that vary within an arm, and the task: averaged within a unit. */
  block: string;
  task: string | null;
  value: number;
  wallMs: number | null;
  costUsd: number | null;
  /** Where the metric is a series. */
  curve?: Curve;
}

/** What was measured, ready for any analysis. */
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
  runs: Measurement[];
  missing: { id: string; arm: string; why: string }[];
  /** The arm that the study calls its baseline. */
  baseline: string | null;
  /** Of series: the steps at which runs are compared. */
  window: { from: number; to: number } | null;
  cautions: string[];
}

/** An axis' name: the unit in parentheses where there is one, and not twice. */
export function withUnit(name: string, unit: string | null): string {
  if (unit === null || unit === "" || unit === "1") return name;
  const ending = `_${unit.toLowerCase()}`;
  return `${name.toLowerCase().endsWith(ending) ? name.slice(0, -ending.length) : name} (${unit})`;
}
