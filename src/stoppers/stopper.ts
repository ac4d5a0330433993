import type { ZodType } from "zod";

/** What one run has reported of the metric so far. */
export interface RunSeries {
  id: string;
  /** In the order in which they were reported. */
  values: readonly number[];
  /** What each value is about (a task, a seed), where runs are compared piece by piece. */
  labels?: readonly string[];
  state: "running" | "ok" | "failed" | "stopped";
}

export interface Race {
  run: RunSeries;
  /** All other runs of the search, finished or not. */
  others: readonly RunSeries[];
  goal: "minimize" | "maximize";
}

export interface Verdict {
  stop: boolean;
  /** A sentence for the record and for people. */
  why: string;
}

/** Ends runs that will not be among the best. `judge` is pure: the same series give the same verdict. */
export interface Stopper<O = unknown> {
  name: string;
  description: string;
  options: ZodType<O>;
  judge(race: Race, options: O): Verdict;
}

/** Values without gaps, as losses: smaller is better whatever the goal. */
export function lossesOf({ values }: RunSeries, goal: Race["goal"]): number[] {
  const losses: number[] = [];
  for (const value of values) if (Number.isFinite(value)) losses.push(goal === "maximize" ? -value : value);
  return losses;
}

export function goOn(why: string): Verdict {
  return { stop: false, why };
}

/** A loss as the metric's own value, for sentences. */
export function shown(loss: number, goal: Race["goal"]): string {
  return String(Number((goal === "maximize" ? -loss : loss).toPrecision(6)) + 0);
}
