import type { Interval } from "../../stats/intervals/interval.ts";
import { wilsonInterval } from "../../stats/intervals/proportion-intervals.ts";
import { type Result, unknownBecause } from "../../stats/result.ts";
import { meanInterval } from "../estimate-arm.ts";

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
