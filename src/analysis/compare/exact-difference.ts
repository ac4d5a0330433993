import { choose, known, type Side } from "../../stats/index.ts";
import type { Measured } from "./measure-difference.ts";
import type { Samples } from "./samples.ts";

/** Of the size of the values: what the rounding of the machine's numbers may add. */
const ROUNDING = 1e-9;

/**
 * A difference that is the same in every pair, or between any two values of two arms: there is no spread, and nothing to
 * estimate. Chance alone would give all pairs the same sign once in 2^(n−1), which is the sign-flip permutation test.
 * null where the difference varies.
 */
export function exactDifference(
  samples: Samples,
  { alpha, side }: { alpha: number; side: Side },
): Measured | null {
  const { isPaired, baseline, candidate } = samples;
  if (Math.min(baseline.length, candidate.length) < 2) return null;
  const differences = isPaired
    ? candidate.map((value, i) => value - baseline[i]!)
    : Float64Array.of(candidate[0]! - baseline[0]!);
  const size = [...extremesOf(baseline), ...extremesOf(candidate)].reduce(
    (most, x) => Math.max(most, Math.abs(x)),
    0,
  );
  const isSame = (xs: Float64Array) => {
    const [least, most] = extremesOf(xs);
    return most - least <= ROUNDING * size;
  };
  if (!isSame(differences) || (!isPaired && !(isSame(baseline) && isSame(candidate)))) return null;
  const [least, most] = extremesOf(differences);
  const estimate = most - least === 0 || least > 0 || most < 0 ? differences[0]! : 0;
  const value = Math.abs(estimate) <= ROUNDING * size ? 0 : estimate;
  const p = chanceOf(
    value,
    side,
    isPaired ? new Set(samples.clusters).size : [baseline.length, candidate.length],
  );
  const interval = known({
    estimate: value,
    low: value,
    high: value,
    level: 1 - alpha,
    side,
    method: "exact",
    cautions: [],
  });
  const test = known({ statistic: value, p, side, method: "sign-flip permutation", cautions: [] });
  return { interval, test, check: null };
}

function chanceOf(value: number, side: Side, n: number | readonly [number, number]): number {
  if (value === 0) return 1;
  const isAgainst = (side === "greater" && value < 0) || (side === "less" && value > 0);
  if (isAgainst) return 1;
  if (typeof n === "number") return side === "two-sided" ? 2 ** (1 - n) : 2 ** -n;
  const [a, b] = n;
  const labellings = choose(a + b, a);
  return Math.min(1, (side === "two-sided" && a === b ? 2 : 1) / labellings);
}

function extremesOf(xs: Float64Array): [number, number] {
  let [least, most] = [xs[0]!, xs[0]!];
  for (const x of xs) {
    if (x < least) least = x;
    if (x > most) most = x;
  }
  return [least, most];
}
