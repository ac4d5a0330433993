import { requireFraction } from "../options.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { type Sample, sampleProblem } from "../sample.ts";
import { type BettingOptions, boundsProblem } from "./betting-options.ts";
import { logCapital } from "./log-capital.ts";
import { plannedBets } from "./planned-bets.ts";

export interface BettingCapital {
  /** What a gambler against the claim owns after each value, starting with 1. */
  capital: Float64Array;
  /** min(1, 1/largest capital so far): a p-value that stays valid however often one looks. */
  p: number;
}

/**
 * Tests the claim that the mean of bounded scores is `mean` by betting against it: half the money on "greater",
 * half on "less". If the claim is true no strategy can expect to win, so the capital ever reaching 1/α has a
 * probability of at most α (Ville), at any sample size and after any number of looks.
 * Source: I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting", JRSS B 86
 * (2024), 1-27, the hedged capital process. O(n).
 */
export function bettingCapital(
  xs: Sample,
  mean: number,
  options: BettingOptions = {},
): Result<BettingCapital> {
  const { bounds = [0, 1] } = options;
  const level = requireFraction(options.level ?? 0.95, "level");
  const problem = sampleProblem(xs, 1) ?? boundsProblem(xs, bounds);
  if (problem) return unknownBecause(problem);
  const width = bounds[1] - bounds[0];
  const claim = (mean - bounds[0]) / width;
  if (!(claim >= 0 && claim <= 1))
    return unknownBecause(`a mean of ${mean} is outside the bounds ${bounds.join(" to ")}`);
  const scores = Float64Array.from(xs, (x) => (x - bounds[0]) / width);
  const bets = plannedBets(scores, 1 - level);
  const up = logCapital(scores, bets, { claim, sign: 1 });
  const down = logCapital(scores, bets, { claim, sign: -1 });
  const capital = up.map((log, t) => Math.max(Math.exp(log), Math.exp(down[t]!)) / 2);
  const most = capital.reduce((largest, x) => Math.max(largest, x), 1);
  return known({ capital, p: 1 / most });
}
