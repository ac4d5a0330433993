import type { ZodType } from "zod";
import { type Member, markMember } from "../../core/family.ts";
import { rounded } from "../../core/number-text.ts";

/** What one run has reported of the metric so far. */
export interface RunSeries {
  id: string;
  /** In the order in which they were reported; NaN where what was reported is no number. */
  values: readonly number[];
  /** The step of each value; without them values are counted. Those that begin with 0 count from there. */
  steps?: readonly number[];
  /** What each value is about (a task, a seed), where runs are compared piece by piece. */
  labels?: readonly string[];
  state: "running" | "ok" | "failed" | "stopped";
}

export interface Race {
  run: RunSeries;
  /** All other runs of the search, finished or not. */
  others: readonly RunSeries[];
  goal: "minimize" | "maximize";
  /** How many the search will have in all. */
  of?: number | undefined;
}

export interface Verdict {
  stop: boolean;
  /** A sentence for the record and for people. */
  why: string;
}

/** Ends runs that will not be among the best. `judge` is pure: the same series give the same verdict. */
export interface Stopper<O = unknown> extends Member {
  description: string;
  options: ZodType<O>;
  /** It compares task by task or seed by seed: where a point has several runs, these are the pieces. */
  isByPiece?: true;
  /** It shares its error among as many points as there will be. */
  needsPoints?: true;
  /** How many points take turns, piece by piece: of any two the worse one can end, whichever was proposed first. */
  field?(options: O): number;
  judge(race: Race, options: O): Verdict;
}

/** Declares a stopper of your own: `export default defineStopper({...})`. */
export function defineStopper<O>(stopper: Stopper<O>): Stopper<O> {
  return markMember("stopper", stopper);
}

/** Values as losses: smaller is better whatever the goal, and what is not a finite number is worse than any. */
export function lossesOf({ values }: RunSeries, goal: Race["goal"]): number[] {
  return values.map((value) =>
    Number.isFinite(value) ? (goal === "maximize" ? -value : value) : Number.POSITIVE_INFINITY,
  );
}

/** How far a run was when it reported each value: its steps, or how many values it had reported. */
export function positionsOf({ values, steps }: RunSeries): number[] {
  const first = steps?.[0] === 0 ? 1 : 0;
  return values.map((_, i) => (steps ? steps[i]! + first : i + 1));
}

/** The best loss so far; of a run whose last value is not a number the earlier ones no longer count: it diverged. */
export function bestSoFar(losses: readonly number[]): number {
  return losses.at(-1) === Number.POSITIVE_INFINITY ? Number.POSITIVE_INFINITY : Math.min(...losses);
}

/** Whether a loss is beyond a threshold; one that is not a number is beyond any. */
export function isWorse(loss: number, threshold: number): boolean {
  return loss > threshold || loss === Number.POSITIVE_INFINITY;
}

export function goOn(why: string): Verdict {
  return { stop: false, why };
}

/** A loss as the metric's own value, for sentences. */
export function shown(loss: number, goal: Race["goal"]): string {
  if (loss === Number.POSITIVE_INFINITY) return "not a number";
  return String(rounded(goal === "maximize" ? -loss : loss, 6) + 0);
}

/** The losses of a run and of a rival on each piece that both have done, in the rival's order: by label, or by place where there are none. */
export function pairedLosses(
  run: RunSeries,
  rival: RunSeries,
  goal: Race["goal"],
): [own: number, theirs: number][] {
  const own = lossPieces(run, goal);
  return [...lossPieces(rival, goal)].flatMap(([label, theirs]) => {
    const loss = own.get(label);
    return loss === undefined ? [] : [[loss, theirs] as [number, number]];
  });
}

function lossPieces(run: RunSeries, goal: Race["goal"]): Map<string, number> {
  return new Map(lossesOf(run, goal).map((loss, i) => [run.labels?.[i] ?? String(i), loss]));
}
