import {
  differences,
  type Interval,
  mean,
  type Result,
  ratioOfMeans,
  standardDeviation,
  unknownBecause,
} from "../../stats/index.ts";
import type { CompareOptions, Comparison, Range } from "./comparison.ts";
import type { Samples } from "./samples.ts";
import type { Settled, SettledSet } from "./settle-failures.ts";

interface Effect extends Pick<Comparison, "difference" | "relative" | "isWithinMargin"> {
  /** In the metric's unit. */
  margin: number | null;
}

/** How large the difference is: in the metric's unit, as a share of the baseline, and beside what matters. */
export function effectOf(
  samples: Samples,
  interval: Result<Interval>,
  {
    margin: asked,
    isRatio,
    isTrimmed,
  }: Pick<CompareOptions, "margin"> & Record<"isRatio" | "isTrimmed", boolean>,
): Effect {
  const margin = marginIn(asked, samples.baseline);
  if (!interval.known) {
    const difference = unknownBecause(reasonFor(samples, interval.why));
    return { difference, relative: difference, margin, isWithinMargin: false };
  }
  const { difference, relative } = isRatio
    ? ratioEffect(samples, interval)
    : interval.low === interval.high
      ? exactEffect(samples, interval)
      : {
          difference: { known: true as const, ...rangeOf(interval) },
          relative: isTrimmed
            ? unknownBecause("the means are trimmed, and the baseline's is not")
            : relativeTo(samples, interval),
        };
  // A margin in percent is compared with what is shown in percent.
  const shown = asked?.isShare && relative.known ? relative : difference;
  const limit = shown === relative ? asked!.value : margin;
  return {
    ...{ difference, relative, margin },
    isWithinMargin: limit !== null && shown.known && Math.max(-shown.low, shown.high) < limit,
  };
}

function reasonFor({ isPaired, candidate, baseline }: Samples, why: string): string {
  if (Math.min(candidate.length, baseline.length) < 2)
    return isPaired
      ? "there is one pair only, and one difference shows no spread"
      : "an arm has one value only, and one value shows no spread";
  return why;
}

/** An interval of logarithms as a ratio of geometric means, and as that share of the baseline's mean. */
function ratioEffect({ baseline }: Samples, { estimate, low, high }: Interval) {
  const relative = { value: Math.expm1(estimate), low: Math.expm1(low), high: Math.expm1(high) };
  const base = meanOf(baseline);
  return {
    difference: {
      known: true as const,
      ...{ value: base * relative.value, low: base * relative.low, high: base * relative.high },
    },
    relative: { known: true as const, ...relative },
  };
}

/** A difference without a spread is known as it is; relative to the baseline only where that has none either. */
function exactEffect({ baseline }: Samples, { estimate }: Interval) {
  const share = estimate / Math.abs(baseline[0]!);
  const isAlike = baseline.every((value) => value === baseline[0]);
  return {
    difference: { known: true as const, value: estimate, low: estimate, high: estimate },
    relative:
      isAlike && baseline[0] !== 0
        ? { known: true as const, value: share, low: share, high: share }
        : unknownBecause("the difference is exact, and the baseline varies"),
  };
}

/** Fieller's, as wide in standard errors as the interval of the difference, so that both say the same of 0. */
function relativeTo(samples: Samples, { estimate, low, high }: Interval): Result<Range> {
  const { isPaired, candidate, baseline } = samples;
  const error = errorOf(samples);
  if (!(error > 0)) return unknownBecause("no value differs, and the next one may");
  const critical = [(estimate - low) / error, (high - estimate) / error] as const;
  const ratio = ratioOfMeans(candidate, baseline, { paired: isPaired, critical });
  if (!ratio.known) return unknownBecause(ratio.why);
  const share = shareOf(rangeOf(ratio), baseline);
  // Where an end is 0, rounding must not move it across.
  return {
    ...{ known: true, value: share.value },
    low: low > 0 ? Math.max(share.low, Number.MIN_VALUE) : Math.min(share.low, 0),
    high: high < 0 ? Math.min(share.high, -Number.MIN_VALUE) : Math.max(share.high, 0),
  };
}

function errorOf({ isPaired, candidate, baseline }: Samples): number {
  const variance = (xs: Float64Array) => {
    const sd = standardDeviation(xs);
    return sd.known ? sd.value ** 2 / xs.length : 0;
  };
  if (isPaired) return Math.sqrt(variance(differences(candidate, baseline)));
  return Math.sqrt(variance(candidate) + variance(baseline));
}

/** The margin in the metric's unit. */
function marginIn(margin: CompareOptions["margin"], baseline: Float64Array): number | null {
  if (!margin) return null;
  return margin.isShare ? Math.abs(meanOf(baseline)) * margin.value : margin.value;
}

function meanOf(values: Float64Array): number {
  const average = mean(values);
  return average.known ? average.value : 0;
}

function rangeOf({ estimate, low, high }: Interval): Range {
  return { value: estimate, low, high };
}

/** A ratio as a change against the baseline; of a negative baseline, the same change has the other sign. */
function shareOf({ value, low, high }: Range, baseline: Float64Array): Range {
  return meanOf(baseline) < 0
    ? { value: 1 - value, low: 1 - high, high: 1 - low }
    : { value: value - 1, low: low - 1, high: high - 1 };
}

/** Two values of a metric differ by no more than its range is wide. */
export function withinReach(
  difference: Comparison["difference"],
  { isRate, range }: SettledSet,
): Comparison["difference"] {
  const [least, most] = range ?? (isRate ? [0, 1] : [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
  if (!difference.known) return difference;
  const reach = most - least;
  return { ...difference, low: Math.max(-reach, difference.low), high: Math.min(reach, difference.high) };
}

/** What can't be negative is never less than all of the baseline below it. */
export function aboveNothing(
  relative: Comparison["relative"],
  { arm }: Settled,
  { isRate, range }: SettledSet,
): Comparison["relative"] {
  const least = range?.[0] ?? (isRate ? 0 : Number.NEGATIVE_INFINITY);
  const isPositive = arm.observations.every(({ value }) => value === null || value >= 0);
  if (!relative.known || least < 0 || !isPositive) return relative;
  return { ...relative, low: Math.max(-1, relative.low), high: Math.max(-1, relative.high) };
}
