import {
  bootstrapPairedInterval,
  cohensDInterval,
  hedgesG,
  type Interval,
  interquartileMean,
  probabilityOfSuperiority,
  type Result,
  unknownBecause,
} from "../../stats/index.ts";
import type { Range } from "./comparison.ts";
import type { Samples } from "./samples.ts";

/** How large a difference is beside the mean's: for those who report it in the words of their field. */
export interface EffectSizes {
  /** How often a value of the candidate is above one of the baseline; ties count half. */
  superiority: Result<Range>;
  /** The difference in standard deviations: of the differences where arms are paired, else of the values. */
  hedgesG: Result<Range>;
  /** Mean of the middle half of the values, in each arm; their difference with an interval where arms are paired. */
  interquartile: Result<{ baseline: number; candidate: number; difference: Result<Range> }>;
}

interface EffectOptions {
  alpha: number;
  resamples: number;
  seed: number;
}

export function effectSizes(samples: Samples, { alpha, resamples, seed }: EffectOptions): EffectSizes {
  const { candidate: xs, baseline: ys, isPaired } = samples;
  const level = 1 - alpha;
  const standardiser = isPaired ? ("differences" as const) : ("pooled" as const);
  const g = hedgesG(xs, ys, { standardiser });
  const d = cohensDInterval(xs, ys, { standardiser, level });
  return {
    superiority: rangeOf(probabilityOfSuperiority(xs, ys, { level })),
    hedgesG:
      g.known && d.known
        ? { known: true, value: g.value, ...scaled(d, g.value / d.estimate) }
        : lacking(g, d),
    interquartile: interquartile(),
  };

  function interquartile(): EffectSizes["interquartile"] {
    const [candidate, baseline] = [interquartileMean(xs), interquartileMean(ys)];
    if (!candidate.known || !baseline.known) return lacking(candidate, baseline);
    const difference = isPaired
      ? bootstrapPairedInterval(xs, ys, {
          ...{ method: "percentile", level, seed, resamples: Math.min(resamples, MOST_RESAMPLES) },
          statistic: (a, b) => middleOf(a) - middleOf(b),
        })
      : unknownBecause("the arms are not paired");
    return {
      ...{ known: true, candidate: candidate.value, baseline: baseline.value },
      difference: rangeOf(difference),
    };
  }
}

/** A statistic without a formula is slow to resample, and its percentiles need no more. */
const MOST_RESAMPLES = 2000;

function middleOf(values: Float64Array): number {
  const answer = interquartileMean(values);
  return answer.known ? answer.value : Number.NaN;
}

/** d's bias is a factor, and its interval has the same; of a d of 0 nothing is scaled. */
function scaled({ low, high }: Interval, factor: number): { low: number; high: number } {
  return Number.isFinite(factor) ? { low: low * factor, high: high * factor } : { low, high };
}

function rangeOf(interval: Result<Interval>): Result<Range> {
  if (!interval.known) return unknownBecause(interval.why);
  return { known: true, value: interval.estimate, low: interval.low, high: interval.high };
}

function lacking(...answers: Result<unknown>[]): { known: false; why: string } {
  const without = answers.find(({ known }) => !known);
  return unknownBecause(without && !without.known ? without.why : "");
}
