import {
  type Interval,
  known,
  type PassRate,
  passAtK,
  passHatK,
  type Result,
  type TaskOutcomes,
  unknownBecause,
  wilsonInterval,
} from "../../stats/index.ts";
import { meanInterval } from "../estimate-arm.ts";

/** The chance that one of k tries passes, and that all k pass. */
export interface PassPoint {
  k: number;
  any: Result<PassRate>;
  all: Result<PassRate>;
}

/** Beyond this many the points are 1, 2, 5, 10, 20, ...: nobody reads a hundred of them. */
const MOST_POINTS = 10;

/** pass@k and pass^k for each k that some task has tries enough for. One try passes as often as the arm solves a task. */
export function passCurve(tasks: readonly TaskOutcomes[], solveRate: Result<Interval>): PassPoint[] {
  const most = tasks.reduce((all, { attempts }) => Math.max(all, attempts), 0);
  return steps(most).map((k) => {
    const ofOne = k === 1 ? solveRate : undefined;
    return {
      k,
      any: overTasks(tasks, { k, rate: passAtK, ofOne }),
      all: overTasks(tasks, { k, rate: passHatK, ofOne }),
    };
  });
}

interface Tries {
  k: number;
  rate: typeof passAtK | typeof passHatK;
  ofOne: Result<Interval> | undefined;
}

/** The mean of the tasks' own rates, each task weighing the same. */
function overTasks(tasks: readonly TaskOutcomes[], { k, rate, ofOne }: Tries): Result<PassRate> {
  const values = tasks.flatMap((task) => {
    const own = rate([task], k);
    return own.known ? [own.value] : [];
  });
  return known({
    value: values.reduce((sum, value) => sum + value, 0) / values.length,
    tasks: values.length,
    leftOut: tasks.length - values.length,
    interval: ofOne ?? shareInterval(values.map((value) => [value])),
  });
}

function steps(most: number): number[] {
  if (most <= MOST_POINTS) return Array.from({ length: most }, (_, i) => i + 1);
  const points: number[] = [];
  for (let decade = 1; decade < most; decade *= 10)
    points.push(...[1, 2, 5].map((digit) => digit * decade).filter((k) => k < most));
  return [...points, most];
}

/**
 * The interval of a share, from what was seen of each task: its rollouts, solved or not, or numbers between 0 and 1.
 * Rollouts of one task are no independent tries at tasks of this kind, so tasks are what is counted, each by its mean,
 * as in every comparison. With one task the claim is about that task, and its rollouts are the tries.
 */
export function shareInterval(tasks: readonly (readonly number[])[]): Result<Interval> {
  const filled = tasks.filter((own) => own.length > 0);
  if (filled.length === 0) return unknownBecause("no rollout was judged");
  const only: readonly number[] = filled[0]!;
  if (filled.length === 1 && only.every((value) => value === 0 || value === 1))
    return wilsonInterval(sumOf(only), only.length);
  const values = filled.length === 1 ? only : filled.map(average);
  return meanInterval(values, { isRate: false, range: [0, 1], mean: average(values) });
}

/** Shares lie between 0 and 1: an interval that leaves that says nothing beyond. */
export function clipped(interval: Result<Interval>): Result<Interval> {
  if (!interval.known) return interval;
  return { ...interval, low: Math.max(0, interval.low), high: Math.min(1, interval.high) };
}

function average(values: readonly number[]): number {
  return sumOf(values) / values.length;
}

function sumOf(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
