import { clusteredInterval } from "../../stats/intervals/clustered-interval.ts";
import type { Interval } from "../../stats/intervals/interval.ts";
import { wilsonInterval } from "../../stats/intervals/wilson-interval.ts";
import { type Result, unknownBecause } from "../../stats/result.ts";

/**
 * The interval of a share, from what was seen of each task: its rollouts, solved or not, or one number between 0 and 1.
 * Rollouts of one task are no independent tries at tasks of this kind, so tasks are the clusters; a bootstrap of few
 * tasks would be too short. Where each task is solved always or never, tasks are tries of a proportion. With one task the
 * claim is about that task, and its rollouts are the tries.
 */
export function shareInterval(tasks: readonly (readonly number[])[]): Result<Interval> {
  const values = tasks.flat();
  if (values.length === 0) return unknownBecause("no rollout was judged");
  const total = values.reduce((sum, value) => sum + value, 0);
  const share = total / values.length;
  if (tasks.length === 1 && values.every(isVerdict)) return wilsonInterval(total, values.length);
  if (areTries(tasks)) return wilsonInterval(Math.round(share * tasks.length), tasks.length);
  const clustered = clusteredInterval(
    values,
    tasks.flatMap((own, task) => own.map(() => task)),
  );
  if (clustered.known || tasks.length === 1) return clipped(clustered);
  // Their means are all equal: each counts as one try.
  const alike = wilsonInterval(Math.round(share * tasks.length), tasks.length);
  if (!alike.known) return alike;
  return { ...alike, estimate: share, low: Math.min(alike.low, share), high: Math.max(alike.high, share) };
}

/** Shares lie between 0 and 1: an interval that leaves that says nothing beyond. */
export function clipped(interval: Result<Interval>): Result<Interval> {
  if (!interval.known) return interval;
  return { ...interval, low: Math.max(0, interval.low), high: Math.min(1, interval.high) };
}

function isVerdict(value: number): boolean {
  return value === 0 || value === 1;
}

/** Whether every task says the same in each of as many rollouts, so that the share of rollouts is that of tasks. */
function areTries(tasks: readonly (readonly number[])[]): boolean {
  const [{ length }] = tasks as [readonly number[]];
  return tasks.every(
    (own) => own.length === length && isVerdict(own[0]!) && own.every((value) => value === own[0]),
  );
}
