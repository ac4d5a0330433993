import type { Sample } from "../sample.ts";
import type { FastRandom } from "./fast-random.ts";

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
