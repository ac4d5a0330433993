import type { Sample } from "../sample.ts";
import { addSums, sumTable } from "./add-sums.ts";
import type { FastRandom } from "./fast-random.ts";

/**
 * The means of `resamples` bootstrap samples of `values`. O(resamples · n / k) time, where k values are drawn by
 * one look-up (see sumTable), and 8 bytes a resample.
 */
export function resampleMeans(
  values: Float64Array,
  resamples: number,
  { random }: { random: FastRandom },
): Float64Array {
  const n = values.length;
  const means = new Float64Array(resamples);
  const { sums, drawn } = sumTable(values);
  addSums(sums, means, { draws: Math.floor(n / drawn), random });
  addSums(values, means, { draws: n % drawn, random });
  for (let i = 0; i < resamples; i++) means[i]! /= n;
  return means;
}

/** The mean and the unbiased variance of each of many bootstrap samples. */
export interface ResampledMoments {
  means: Float64Array;
  variances: Float64Array;
}

const CHUNK = 256;

/**
 * Means and variances of bootstrap samples, for the studentised bootstrap. The caller passes values centred at
 * their mean, so that one pass over each resample is accurate enough. O(resamples · n).
 */
export function resampleMoments(
  centred: Float64Array,
  resamples: number,
  { random }: { random: FastRandom },
): ResampledMoments {
  if (centred.length >= 2 ** 21)
    throw new RangeError("the studentised bootstrap is for up to 2,097,151 values");
  const means = new Float64Array(resamples);
  const variances = new Float64Array(resamples);
  for (let start = 0; start < resamples; start += CHUNK) {
    const end = start + CHUNK;
    const part = { means: means.subarray(start, end), variances: variances.subarray(start, end) };
    fillMoments(centred, part, { random });
  }
  return { means, variances };
}

/**
 * Any statistic of bootstrap samples. Columns are resampled together, row by row, so pairs stay pairs. The
 * statistic may reorder the arrays it is given, and must not keep them: they are filled again each time.
 */
export function resampleStatistic(
  columns: readonly Float64Array[],
  statistic: (...resample: Float64Array[]) => number,
  { resamples, random }: { resamples: number; random: FastRandom },
): Float64Array {
  const n = columns[0]!.length;
  const drawn = columns.map(() => new Float64Array(n));
  const out = new Float64Array(resamples);
  for (let i = 0; i < resamples; i++) {
    for (let j = 0; j < n; j++) {
      const row = random.below(n);
      for (let column = 0; column < columns.length; column++) drawn[column]![j] = columns[column]![row]!;
    }
    out[i] = statistic(...drawn);
  }
  return out;
}

/** Which level of tasks and rollouts is drawn anew. */
export type ResampledLevel = "both" | "tasks" | "rollouts";

/**
 * Resampled means over tasks of their mean scores, or with two arms the difference of the two. A drawn task is the
 * same in both arms; rollouts are drawn in each alone. O(resamples · rollouts).
 */
export function resampleTasks(
  arms: readonly (readonly Sample[])[],
  resamples: number,
  { level, random }: { level: ResampledLevel; random: FastRandom },
): Float64Array {
  const columns = arms.map((tasks) => tasks.map((task) => Float64Array.from(task)));
  const fixed = columns.map((tasks) =>
    tasks.map((task) => task.reduce((total, x) => total + x, 0) / task.length),
  );
  const count = columns[0]!.length;
  const out = new Float64Array(resamples);
  for (let b = 0; b < resamples; b++) {
    let total = 0;
    for (let i = 0; i < count; i++) {
      const task = level === "rollouts" ? i : random.below(count);
      for (let arm = 0; arm < columns.length; arm++) {
        const mean = level === "tasks" ? fixed[arm]![task]! : resampledMean(columns[arm]![task]!, random);
        total += arm === 0 ? mean : -mean;
      }
    }
    out[b] = total / count;
  }
  return out;
}

function resampledMean(values: Float64Array, random: FastRandom): number {
  const n = values.length;
  let total = 0;
  for (let j = 0; j < n; j++) total += values[random.below(n)]!;
  return total / n;
}

/** Fills `out` with the mean and variance of one resample an entry, for up to 2^21 values; see addSumsWide. */
function fillMoments(centred: Float64Array, out: ResampledMoments, { random }: { random: FastRandom }): void {
  const { means, variances } = out;
  const n = centred.length;
  const unfair = (2 ** 32 % n) - 2 ** 31;
  const scale = n / 2 ** 32;
  const state = random.state;
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let counter = state[3]!;
  for (let i = 0; i < means.length; i++) {
    let sum = 0;
    let squares = 0;
    for (let left = n; left > 0; ) {
      const bits = (((a + b) | 0) + counter) | 0;
      counter = (counter + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (((c << 21) | (c >>> 11)) + bits) | 0;
      if ((Math.imul(bits, n) ^ 0x80000000) >= unfair) {
        const x = centred[((bits >>> 0) * scale) | 0]!;
        sum += x;
        squares += x * x;
        left--;
      }
    }
    means[i] = sum / n;
    variances[i] = Math.max(0, squares - (sum * sum) / n) / (n - 1);
  }
  state[0] = a;
  state[1] = b;
  state[2] = c;
  state[3] = counter;
}
