import { requireFraction } from "../options.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { type Sample, sampleProblem } from "../sample.ts";
import type { Bet, Draw } from "./bet.ts";

/** Claims that are tried before the ends are narrowed down. */
const CLAIMS = 64;
const HALVINGS = 24;

export interface BetInterval {
  estimate: number;
  low: number;
  high: number;
  level: number;
}

export interface BetIntervalOptions {
  level?: number;
  /** Between which the mean, or the shift, surely lies. */
  range: readonly [number, number];
  /** A game against "at most the claim", played on the values times `sign`. */
  against: (claim: number, alpha: number) => Bet;
  /** How each value was drawn; evenly unless told. */
  draws?: readonly Draw[];
}

/**
 * The claims that betting has not refuted, each direction at half of α: an interval that holds at every moment at once, so
 * one may stop when it pleases. Claims between the outermost ones that stand are kept, too, so it is never too short.
 * Source: I. Waudby-Smith and A. Ramdas, JRSS B 86 (2024), 1-27, theorem 3. O(n) for each of some ninety claims.
 */
export function betInterval(xs: Sample, options: BetIntervalOptions): Result<BetInterval> {
  const level = requireFraction(options.level ?? 0.95, "level");
  const problem = sampleProblem(xs, 1);
  if (problem) return unknownBecause(problem);
  const { range, against, draws } = options;
  const isRefuted = (claim: number, sign: 1 | -1) => {
    const bet = against(sign * claim, (1 - level) / 2);
    for (let i = 0; i < xs.length && !bet.isRefuted; i++) bet.add(sign * xs[i]!, draws?.[i]);
    return bet.isRefuted;
  };
  let sum = 0;
  for (let i = 0; i < xs.length; i++) sum += xs[i]!;
  const low = edge(range[0], range[1], (claim) => isRefuted(claim, 1));
  const high = edge(range[1], range[0], (claim) => isRefuted(claim, -1));
  return known({ estimate: sum / xs.length, low, high: Math.max(low, high), level });
}

/** The claim nearest to `from` that stands, or a refuted one next to it. */
function edge(from: number, to: number, isRefuted: (claim: number) => boolean): number {
  const at = (i: number) => from + ((to - from) * i) / CLAIMS;
  let first = 0;
  while (first <= CLAIMS && isRefuted(at(first))) first++;
  if (first === 0) return from;
  let refuted = at(first - 1);
  if (first > CLAIMS) return refuted;
  let stands = at(first);
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (refuted + stands) / 2;
    if (isRefuted(middle)) refuted = middle;
    else stands = middle;
  }
  return refuted;
}
