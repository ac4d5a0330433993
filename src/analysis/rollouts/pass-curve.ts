import { wilsonInterval } from "../../stats/intervals/wilson-interval.ts";
import { passAtK } from "../../stats/passes/pass-at-k.ts";
import { passHatK } from "../../stats/passes/pass-hat-k.ts";
import type { PassRate } from "../../stats/passes/pass-rate.ts";
import type { TaskOutcomes } from "../../stats/passes/task-outcomes.ts";
import type { Result } from "../../stats/result.ts";

/** The chance that one of k tries passes, and that all k pass. */
export interface PassPoint {
  k: number;
  any: Result<PassRate>;
  all: Result<PassRate>;
}

/** Beyond this many the points are 1, 2, 5, 10, 20, ...: nobody reads a hundred of them. */
const MOST_POINTS = 10;

/** pass@k and pass^k for each k that some task has tries enough for. */
export function passCurve(tasks: readonly TaskOutcomes[], resamples: number): PassPoint[] {
  const most = tasks.reduce((all, { attempts }) => Math.max(all, attempts), 0);
  return steps(most).map((k) => ({
    k,
    any: atTheEnds(passAtK(tasks, k, { resamples })),
    all: atTheEnds(passHatK(tasks, k, { resamples })),
  }));
}

/** Where every task is at 0, or at 1, resampling shows no spread: then each is one try of a proportion. */
function atTheEnds(rate: Result<PassRate>): Result<PassRate> {
  if (!rate.known || rate.interval.known || (rate.value !== 0 && rate.value !== 1)) return rate;
  return { ...rate, interval: wilsonInterval(rate.value * rate.tasks, rate.tasks) };
}

function steps(most: number): number[] {
  if (most <= MOST_POINTS) return Array.from({ length: most }, (_, i) => i + 1);
  const points: number[] = [];
  for (let decade = 1; decade < most; decade *= 10)
    points.push(...[1, 2, 5].map((digit) => digit * decade).filter((k) => k < most));
  return [...points, most];
}
