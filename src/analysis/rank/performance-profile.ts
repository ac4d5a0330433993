import { FastRandom } from "../../stats/resampling/fast-random.ts";
import { quantileOfSorted } from "../../stats/summaries/quantiles.ts";
import { groupBy, type Measurements } from "../measurements.ts";

/** For each threshold the share of an arm's runs that do at least as well, with a band. */
export interface PerformanceProfile {
  name: string;
  thresholds: number[];
  shares: number[];
  low: number[];
  high: number[];
}

const THRESHOLDS = 101;
const RESAMPLES = 1000;

/**
 * Performance profiles of all runs, not of means: where arms cross, which is better depends on what is asked. The
 * band is the 95 % percentile bootstrap at each threshold on its own, over units.
 * Source: R. Agarwal et al., "Deep RL at the edge of the statistical precipice" (2021), arXiv:2108.13264.
 */
export function performanceProfiles(
  { arms, runs }: Measurements,
  { goal, seed = 1 }: { goal: "minimize" | "maximize"; seed?: number },
): PerformanceProfile[] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { value } of runs) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const thresholds = Array.from(
    { length: THRESHOLDS },
    (_, i) => least + ((most - least) * i) / (THRESHOLDS - 1),
  );
  thresholds[THRESHOLDS - 1] = most;
  const reaches = goal === "maximize" ? (v: number, t: number) => v >= t : (v: number, t: number) => v <= t;
  return arms.map((name) => {
    const own = runs.filter(({ arm }) => arm === name);
    const seeds = [...groupBy(own, ({ unit }) => unit).values()];
    const counts = seeds.map((members) =>
      Float64Array.from(thresholds, (t) => members.filter(({ value }) => reaches(value, t)).length),
    );
    const sizes = seeds.map((members) => members.length);
    const all = Array.from({ length: seeds.length }, (_, i) => i);
    const shares = shareOf(all, counts, sizes);
    const random = new FastRandom(seed, "profile");
    const drawn = Array.from({ length: RESAMPLES }, () =>
      shareOf(
        all.map(() => random.below(seeds.length)),
        counts,
        sizes,
      ),
    );
    const ends = thresholds.map((_, t) => {
      const sorted = Float64Array.from(drawn, (draw) => draw[t]!).sort();
      return [quantileOfSorted(sorted, 0.025), quantileOfSorted(sorted, 0.975)] as const;
    });
    return { name, thresholds, shares, low: ends.map(([low]) => low), high: ends.map(([, high]) => high) };
  });
}

function shareOf(
  seeds: readonly number[],
  counts: readonly Float64Array[],
  sizes: readonly number[],
): number[] {
  const total = seeds.reduce((sum, seed) => sum + sizes[seed]!, 0);
  return Array.from(
    { length: THRESHOLDS },
    (_, t) => seeds.reduce((sum, seed) => sum + counts[seed]![t]!, 0) / total,
  );
}
