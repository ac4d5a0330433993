import { durationText, numberText, plural, usdText } from "./number-text.ts";
import type { RunRecord } from "./run.ts";

/** Which runs end as doomed: those that make no progress for longer than runs do that succeed. */
export interface Doomed {
  /** Of the runs' series: what is progress. */
  metric: string;
  goal: "minimize" | "maximize";
  /** A run has succeeded when this metric is at least so much in the end. */
  success: string;
  atLeast: number;
  /** The share of runs that would succeed and are ended all the same, at most. */
  rate: number;
}

export function isSuccess({ outcome, metrics }: RunRecord, { success, atLeast }: Doomed): boolean {
  const value = metrics[success];
  return outcome.status === "ok" && typeof value === "number" && value >= atLeast;
}

/** How many values in a row brought no new best: the longest such stretch, and the one that lasts. */
export function longestStall(
  values: readonly number[],
  goal: Doomed["goal"],
): { longest: number; now: number } {
  let best = Number.NEGATIVE_INFINITY;
  let [longest, now] = [0, 0];
  for (const value of values) {
    const gain = goal === "maximize" ? value : -value;
    now = gain > best ? 0 : now + 1;
    best = Math.max(best, Number.isNaN(gain) ? Number.NEGATIVE_INFINITY : gain);
    longest = Math.max(longest, now);
  }
  return { longest, now };
}

/** How many runs ended as doomed, and what that saved against those that failed in their own time; undefined for none. */
export function doomedText(records: readonly RunRecord[], doomed: Doomed): string | undefined {
  const isDoomed = ({ outcome }: RunRecord) => outcome.status === "stopped" && outcome.owner === "agent";
  const ended = records.filter(isDoomed);
  if (ended.length === 0) return undefined;
  const failed = records.filter(
    (record) =>
      !isDoomed(record) &&
      !isSuccess(record, doomed) &&
      (record.outcome.status === "ok" || record.outcome.owner === "agent"),
  );
  const mean = (of: readonly RunRecord[], cost: (record: RunRecord) => number) =>
    of.reduce((sum, record) => sum + cost(record), 0) / of.length;
  const saved = (cost: (record: RunRecord) => number) =>
    ended.reduce((sum, record) => sum + Math.max(0, mean(failed, cost) - cost(record)), 0);
  const wall = ({ wallMs }: RunRecord) => wallMs;
  const usd = saved(({ costUsd }) => costUsd ?? 0);
  const promise = `at most ${numberText(100 * doomed.rate)} % of the runs that would succeed end so`;
  const head = `${plural(ended.length, "run")} ended as doomed, after ${durationText(mean(ended, wall))} on average`;
  if (failed.length === 0)
    return `${head}; ${promise}. None failed in its own time, so what it saved is unknown.`;
  const money = usd > 0 ? ` and ${usdText(usd)}` : "";
  return `${head}; ${plural(failed.length, "run")} that failed in their own time took ${durationText(mean(failed, wall))}, so about ${durationText(saved(wall))}${money} saved; ${promise}.`;
}
