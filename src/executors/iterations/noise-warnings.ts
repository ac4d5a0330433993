import { fixedText } from "../../core/number-text.ts";
import { medianSlope } from "../../stats/summaries/curves.ts";
import { median } from "../../stats/summaries/quantiles.ts";
import { mannKendallTest } from "../../stats/tests/mann-kendall-test.ts";

/** Fewer iterations than this carry no judgement. */
const FEWEST_FOR_WARMUP = 5;
const FEWEST_FOR_DRIFT = 10;
const MAD_TO_SD = 1.4826;
/** Effects smaller than this are left to the statistics of a comparison. */
const WORTH_TELLING = 0.05;
const SURE = 0.01;
/** A trend is looked for in at most this many means of neighbours, since the test looks at all pairs. */
const MOST_POINTS = 500;

/** What the durations of a run's iterations say about the machine: a warm-up that was too short, a drift. */
export function noiseWarnings(durationsMs: readonly number[]): string[] {
  const slow = countSlowAtFirst(durationsMs);
  const warnings: string[] = [];
  if (slow > 0) {
    const which = slow === 1 ? "the first iteration was" : `the first ${slow} iterations were`;
    const factor = mid(durationsMs.slice(0, slow)) / mid(durationsMs.slice(slow));
    warnings.push(`${which} ${fixedText(factor, 1)} times as slow as the others: raise iterations.warmup`);
  }
  const drift = relativeDrift(durationsMs.slice(slow));
  if (Math.abs(drift) >= WORTH_TELLING) {
    const percent = Math.round(Math.abs(drift) * 100);
    warnings.push(
      `iterations got ${percent} % ${drift > 0 ? "slower" : "faster"} from the first to the last`,
    );
  }
  return warnings;
}

/**
 * How many iterations at the beginning stand above all that follow, by more than three robust standard deviations
 * of those and by a tenth: at most a quarter of all.
 */
function countSlowAtFirst(durations: readonly number[]): number {
  if (durations.length < FEWEST_FOR_WARMUP) return 0;
  const most = Math.max(1, Math.floor(durations.length / 4));
  const rest = durations.slice(most);
  const middle = mid(rest);
  const spread = MAD_TO_SD * mid(rest.map((value) => Math.abs(value - middle)));
  const highest = rest.reduce((high, value) => Math.max(high, value), 0);
  const limit = Math.max(highest, middle + 3 * spread, 1.1 * middle);
  let slow = 0;
  while (slow < most && durations[slow]! > limit) slow++;
  return slow;
}

/** By which share of its middle a duration rises along the iterations; 0 where chance explains the trend. */
function relativeDrift(durations: readonly number[]): number {
  if (durations.length < FEWEST_FOR_DRIFT) return 0;
  const points = thin(durations);
  const test = mannKendallTest(points);
  if (!test.known || test.p > SURE) return 0;
  const slope = medianSlope(points);
  return slope.known ? (slope.value * (points.length - 1)) / mid(points) : 0;
}

function thin(values: readonly number[]): number[] {
  const size = Math.ceil(values.length / MOST_POINTS);
  if (size === 1) return [...values];
  return Array.from({ length: Math.floor(values.length / size) }, (_, i) =>
    mid(values.slice(i * size, (i + 1) * size)),
  );
}

function mid(values: readonly number[]): number {
  const result = median(values);
  return result.known ? result.value : Number.NaN;
}
