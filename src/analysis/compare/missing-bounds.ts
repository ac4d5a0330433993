import type { Arm } from "../../design/arm-set.ts";
import { pairUp } from "./pair-up.ts";
import { independentSamples, pairedSamples, type Samples } from "./samples.ts";
import type { SettledSet } from "./settle-failures.ts";

interface Question {
  set: Omit<SettledSet, "arms">;
  isPaired: boolean;
  isAveraged: boolean;
}

type Bounds = { low: number; high: number; isOpen: boolean } | null;

/** A pair is measured twice where many are: for its p among all, and for its interval at the level that follows. */
const known = new WeakMap<
  Question["set"],
  WeakMap<Arm, WeakMap<Arm, { isPaired: boolean; bounds: Bounds }>>
>();

/**
 * How far the difference could move if the missing values were known: all as good for one arm and as bad for the
 * other as any value that was seen (or as any can be: 0 and 1 for passes and failures), and the reverse.
 * Source: C. F. Manski, Am. Econ. Rev. 80 (1990), 319-323.
 */
export function missingBounds(baseline: Arm, candidate: Arm, question: Question): Bounds {
  const { set, isPaired } = question;
  const ofSet = known.get(set) ?? known.set(set, new WeakMap()).get(set)!;
  const ofArm = ofSet.get(baseline) ?? ofSet.set(baseline, new WeakMap()).get(baseline)!;
  const before = ofArm.get(candidate);
  if (before?.isPaired === isPaired) return before.bounds;
  const bounds = findBounds(baseline, candidate, question);
  ofArm.set(candidate, { isPaired, bounds });
  return bounds;
}

function findBounds(baseline: Arm, candidate: Arm, question: Question): Bounds {
  const { range, isRate, goal } = question.set;
  const seen = extremes(baseline, candidate);
  const ends = range ?? (isRate ? [0, 1] : [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
  const worst = goal === undefined ? ends : [ends[goal === "minimize" ? 1 : 0]!];
  const isOpen =
    candidate.observations.some(({ value }) => value === null) && !worst.every((end) => Number.isFinite(end));
  const [least, most] = ends.map((end, i) => (Number.isFinite(end) ? end : seen[i]!)) as [number, number];
  const low = difference(fill(baseline, most), fill(candidate, least), question);
  const high = difference(fill(baseline, least), fill(candidate, most), question);
  return low === null || high === null ? null : { low, high, isOpen };
}

function fill(arm: Arm, value: number): Arm {
  const { name, observations } = arm;
  if (observations.every((one) => one.value !== null)) return arm;
  const filled = observations.map((one) => (one.value === null ? { ...one, value } : one));
  return { name, observations: filled };
}

function difference(baseline: Arm, candidate: Arm, { set, isPaired, isAveraged }: Question): number | null {
  if (!isPaired) return meanDifference(independentSamples(baseline, candidate, isAveraged));
  const pairing = pairUp(baseline, candidate, set);
  return pairing.possible ? meanDifference(pairedSamples(pairing)) : null;
}

function meanDifference({ baseline, candidate }: Samples): number {
  return average(candidate) - average(baseline);
}

function average(xs: Float64Array): number {
  return xs.reduce((a, b) => a + b, 0) / xs.length;
}

function extremes(...arms: Arm[]): [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { observations } of arms) {
    for (const { value } of observations) {
      if (value === null) continue;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
  }
  return [least, most];
}
