import type { Interval } from "../intervals/interval.ts";
import { requireFraction } from "../options.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { type Sample, sampleProblem } from "../sample.ts";
import { findRoot } from "../special/find-root.ts";
import { sum } from "../summaries/moments.ts";
import { type BettingOptions, boundsProblem } from "./betting-options.ts";
import { logCapital } from "./log-capital.ts";
import { plannedBets } from "./planned-bets.ts";

/**
 * An interval for the mean of bounded scores that holds at every n at once, exactly and for any distribution: one
 * may look after each run, stop when it is clear, and still be right with the level's probability. It holds all
 * means that betting has not refuted. Wider than a t interval, which is the price of looking. Take bounds that
 * are known beforehand, never the smallest and largest value seen.
 * Source: I. Waudby-Smith and A. Ramdas, JRSS B 86 (2024), 1-27, theorem 3. O(n) for each of some forty claims.
 */
export function bettingInterval(xs: Sample, options: BettingOptions = {}): Result<Interval> {
  const { bounds = [0, 1] } = options;
  const level = requireFraction(options.level ?? 0.95, "level");
  const problem = sampleProblem(xs, 1) ?? boundsProblem(xs, bounds);
  if (problem) return unknownBecause(problem);
  const width = bounds[1] - bounds[0];
  const scores = Float64Array.from(xs, (x) => (x - bounds[0]) / width);
  const bets = plannedBets(scores, 1 - level);
  const bar = Math.log(2 / (1 - level));
  const excess = (sign: 1 | -1) => (claim: number) => logCapital(scores, bets, { claim, sign }).at(-1)! - bar;
  const mean = sum(scores) / scores.length;
  const low = edge(excess(1), mean, 0);
  const high = edge(excess(-1), mean, 1);
  const scale = (score: number) => bounds[0] + score * width;
  return known({
    estimate: scale(mean),
    low: scale(low),
    high: scale(high),
    level,
    side: "two-sided",
    method: "betting",
    cautions: [],
  });
}

/** Where, between the mean and an end, the claim stops being refuted; the end itself if nothing is. */
function edge(excess: (claim: number) => number, mean: number, end: 0 | 1): number {
  const tip = end === 0 ? 1e-12 : 1 - 1e-12;
  if (excess(tip) < 0) return end;
  if (excess(mean) >= 0) return mean;
  return findRoot(excess, Math.min(tip, mean), Math.max(tip, mean));
}
