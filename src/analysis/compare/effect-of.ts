import {
  equivalenceTest,
  type Interval,
  mean,
  type Result,
  ratioOfMeans,
  unknownBecause,
} from "../../stats/index.ts";
import type { CompareOptions, Comparison, Range } from "./comparison.ts";
import { oneSided } from "./measure-difference.ts";
import { clusterMeans, type Samples } from "./samples.ts";

interface Effect extends Pick<Comparison, "difference" | "relative" | "isWithinMargin"> {
  /** In the metric's unit. */
  margin: number | null;
}

/** How large the difference is: in the metric's unit, as a share of the baseline, and beside what matters. */
export function effectOf(samples: Samples, interval: Result<Interval>, options: CompareOptions): Effect {
  const { alpha = 0.05, side = "two-sided" } = options;
  const margin = marginIn(options.margin, samples.baseline);
  if (!interval.known) {
    const difference = unknownBecause(reasonFor(samples, interval.why));
    return { difference, relative: difference, margin, isWithinMargin: false };
  }
  const { isPaired, candidate, baseline } = clusterMeans(samples);
  if (interval.low === interval.high) return exactEffect(samples, interval, margin);
  const ratio = oneSided(
    (level) => ratioOfMeans(candidate, baseline, { paired: isPaired, level }),
    alpha,
    side,
  );
  const equivalence = margin
    ? equivalenceTest(candidate, baseline, { margin, paired: isPaired, alpha })
    : null;
  return {
    difference: { known: true, ...rangeOf(interval) },
    relative: !ratio.known
      ? unknownBecause(ratio.why)
      : ratio.low === 1 && ratio.high === 1
        ? unknownBecause("no pair differs, and the next one may")
        : { known: true, ...shareOf(rangeOf(ratio), baseline) },
    margin,
    isWithinMargin: equivalence?.known === true && equivalence.equivalent,
  };
}

function reasonFor({ isPaired, candidate, baseline }: Samples, why: string): string {
  if (Math.min(candidate.length, baseline.length) < 2)
    return isPaired
      ? "there is one pair only, and one difference shows no spread"
      : "an arm has one value only, and one value shows no spread";
  return why;
}

/** A difference without a spread is known as it is; relative to the baseline only where that has none either. */
function exactEffect({ baseline }: Samples, { estimate }: Interval, margin: number | null): Effect {
  const range = { value: estimate, low: estimate, high: estimate };
  const isAlike = baseline.every((value) => value === baseline[0]);
  const share = estimate / Math.abs(baseline[0]!);
  return {
    difference: { known: true, ...range },
    relative:
      isAlike && baseline[0] !== 0
        ? { known: true, value: share, low: share, high: share }
        : unknownBecause("the difference is exact, and the baseline varies"),
    margin,
    isWithinMargin: margin !== null && Math.abs(estimate) < margin,
  };
}

/** The margin in the metric's unit. */
function marginIn(margin: CompareOptions["margin"], baseline: Float64Array): number | null {
  if (!margin) return null;
  if (!margin.isShare) return margin.value;
  const average = mean(baseline);
  return average.known ? Math.abs(average.value) * margin.value : null;
}

function rangeOf({ estimate, low, high }: { estimate: number; low: number; high: number }): Range {
  return { value: estimate, low, high };
}

/** A ratio as a change against the baseline; of a negative baseline, the same change has the other sign. */
function shareOf({ value, low, high }: Range, baseline: Float64Array): Range {
  const average = mean(baseline);
  return average.known && average.value < 0
    ? { value: 1 - value, low: 1 - high, high: 1 - low }
    : { value: value - 1, low: low - 1, high: high - 1 };
}
