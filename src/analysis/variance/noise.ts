import type { Observation } from "../../design/arm-set.ts";
import {
  type Moments,
  moments,
  type NoiseErrors,
  type NoiseSplit,
  noiseSplit,
  noiseWith,
  type Result,
} from "../../stats/index.ts";
import { orderArms } from "../compare/order-arms.ts";
import { settleFailures } from "../compare/settle-failures.ts";
import { estimatesOf, type Measurements } from "../measurements.ts";

/** Where the noise of an arm's mean, or of a difference of two, comes from, and what would reduce it. */
export interface NoiseRow {
  /** One arm; or the arm that another is subtracted from, and that one. */
  arms: readonly [string] | readonly [string, string];
  tasks: number;
  /** The fewest and the most samples that a task has. */
  samples: readonly [number, number];
  split: Result<NoiseSplit & OtherErrors>;
}

/** The errors with other numbers of tasks and samples. */
interface OtherErrors {
  oneSampleEach: NoiseErrors;
  twiceTheTasks: NoiseErrors;
  twiceTheSamples: NoiseErrors;
}

/** Each arm, and each against the baseline or else the best, where tasks are what is counted; else nothing. */
export function noiseOf(measured: Measurements): NoiseRow[] {
  const { set, counted, baseline, goal } = measured;
  if (counted !== "task" || !set.hasRollouts || set.clusterBy !== undefined) return [];
  const arms = new Map(
    settleFailures(set).arms.map(({ arm }) => [arm.name, tasksOf(arm.observations)] as const),
  );
  const filled = [...arms.keys()].filter((name) => arms.get(name)!.size > 0);
  const best = goal === null ? filled[0] : orderArms(estimatesOf(measured), goal)[0]?.name;
  const reference = baseline ?? best;
  const rows = filled.map((name) => rowOf([name], [...arms.get(name)!.values()]));
  if (reference === undefined || !arms.get(reference)?.size) return rows;
  const differences = filled
    .filter((name) => name !== reference)
    .map((name) => {
      const [own, other] = [arms.get(name)!, arms.get(reference)!];
      const shared = [...own.keys()].filter((task) => other.has(task));
      const at = (tasks: Map<string, Moments>) => shared.map((task) => tasks.get(task)!);
      return rowOf([name, reference], at(own), at(other));
    });
  return [...rows, ...differences];
}

function rowOf(arms: NoiseRow["arms"], first: Moments[], second?: Moments[]): NoiseRow {
  const sizes = [...first, ...(second ?? [])].map(({ n }) => n);
  const least = sizes.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const most = sizes.reduce((a, b) => Math.max(a, b), 0);
  const split = noiseSplit(first, second);
  return {
    ...{ arms, tasks: first.length, samples: [least, most] as const },
    split: split.known ? { ...split, ...more(split) } : split,
  };
}

function more(split: NoiseSplit): OtherErrors {
  const { data, prediction } = split.errors;
  const both = (a: number, b: number) => ({ data: a, prediction: b, both: Math.hypot(a, b) });
  const half = Math.SQRT1_2;
  return {
    oneSampleEach: noiseWith(split, split.tasks, 1),
    twiceTheTasks: both(data * half, prediction * half),
    twiceTheSamples: both(data, prediction * half),
  };
}

/** What is known of each task: how often it was tried, and how the tries spread. */
function tasksOf(observations: readonly Observation[]): Map<string, Moments> {
  const values = new Map<string, number[]>();
  const counts = new Map<string, Moments>();
  for (const { unit, value, tries } of observations) {
    if (unit === null || value === null) continue;
    if (tries !== undefined) {
      // Passes and failures, told by their number: rows of one task add up.
      const before = counts.get(unit);
      const n = tries + (before?.n ?? 0);
      const mean = (value * tries + (before ? before.mean * before.n : 0)) / n;
      counts.set(unit, { n, mean, variance: n > 1 ? (mean * (1 - mean) * n) / (n - 1) : 0 });
      continue;
    }
    const list = values.get(unit);
    if (list) list.push(value);
    else values.set(unit, [value]);
  }
  for (const [task, list] of values) counts.set(task, moments(list));
  return counts;
}
