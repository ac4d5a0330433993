import { requireCount, requireFraction } from "../options.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { type Sample, sampleProblem } from "../sample.ts";

/** A sequence of intervals, one after each value from the `from`-th on. */
export interface ConfidenceSequence {
  estimate: number;
  /** The interval after the last value. */
  low: number;
  high: number;
  level: number;
  /** The number of values after which the first interval stands. */
  from: number;
  lows: Float64Array;
  highs: Float64Array;
}

export interface AsymptoticOptions {
  level?: number;
  /** The n at which the sequence is tightest; 100 unless told. It holds at every n all the same. */
  tightestAt?: number;
  /** Values before the first interval, since the theory is for many; 50 unless told. */
  from?: number;
}

/**
 * Intervals for a mean that hold at every n at once, so one may look after each run and stop when it is clear;
 * a t interval looked at so often is wrong a third of the time. Of any independent values with a variance, but
 * only asymptotically: heavy tails need a later `from`. For bounded scores bettingInterval holds exactly.
 * mean ± sd · sqrt(2 (n r² + 1)/(n² r²) · ln(sqrt(n r² + 1)/α)).
 * Source: I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy, A. Ramdas, Ann. Stat. 52 (2024), 2613-2640. O(n).
 */
export function asymptoticSequence(xs: Sample, options: AsymptoticOptions = {}): Result<ConfidenceSequence> {
  const level = requireFraction(options.level ?? 0.95, "level");
  const tightestAt = requireCount(options.tightestAt ?? 100, "tightestAt");
  const from = requireCount(options.from ?? 50, "from", 2);
  const problem = sampleProblem(xs, from);
  if (problem) return unknownBecause(problem);
  const alpha = 1 - level;
  const rr = (2 * Math.log(1 / alpha) + Math.log(1 + 2 * Math.log(1 / alpha))) / tightestAt;
  const lows = new Float64Array(xs.length - from + 1);
  const highs = new Float64Array(lows.length);
  let mean = 0;
  let squares = 0;
  for (let t = 1; t <= xs.length; t++) {
    const x = xs[t - 1]!;
    const step = x - mean;
    mean += step / t;
    squares += step * (x - mean);
    if (t < from) continue;
    if (squares === 0)
      return unknownBecause(`the first ${t} values are all equal, so their spread says nothing yet`);
    const grown = t * rr + 1;
    const half = Math.sqrt((squares / t) * ((2 * grown) / (t * t * rr)) * Math.log(Math.sqrt(grown) / alpha));
    lows[t - from] = mean - half;
    highs[t - from] = mean + half;
  }
  return known({ estimate: mean, low: lows.at(-1)!, high: highs.at(-1)!, level, from, lows, highs });
}
