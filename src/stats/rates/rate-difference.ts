import { plural } from "../../core/number-text.ts";
import { normalCdf } from "../distributions/normal.ts";
import type { Interval } from "../intervals/interval.ts";
import { type PairedOutcomes, proportionProblem } from "../intervals/proportion-intervals.ts";
import { requireFraction, type Side } from "../options.ts";
import { type Known, known, type Result, unknownBecause } from "../result.ts";
import { findRoot } from "../special/find-root.ts";
import { floorCaution } from "../tests/p-value.ts";
import type { Proportion } from "../tests/two-proportion-test.ts";
import { independentTail, independentTails, pairedTail } from "./exact-tails.ts";
import { independentScore, pairedScore } from "./rate-statistics.ts";

/** An interval for first − second and the p of the test that it inverts: p is at most 1 − level where it leaves 0 out. */
export interface RateDifference extends Interval {
  p: number;
  /** The smallest p that so many tries can give. */
  floor: number;
}

export interface RateOptions {
  level?: number;
  side?: Side;
  /** Exact up to 200 pairs, or 200 tries in both arms, unless told. */
  method?: "exact" | "normal";
}

/** Up to so many pairs, or tries in both arms, the exact chances are added up; beyond, the normal approximation errs by less than .005. */
export const EXACT_UP_TO = 200;

/**
 * The difference of two success rates on the same tasks. Up to 200 tasks the exact chances by mid-p: at 5 %, arms that are
 * alike are told apart in 5.3 % at most, and in 6.5 % where nearly every task is solved by one of them alone.
 */
export function pairedRateDifference(
  outcomes: PairedOutcomes,
  options: RateOptions = {},
): Result<RateDifference> {
  const { both, onlyFirst: b, onlySecond: c, neither } = outcomes;
  const n = both + b + c + neither;
  if (![both, b, c, neither].every((count) => Number.isInteger(count) && count >= 0))
    return unknownBecause("counts must be whole numbers");
  if (n === 0) return unknownBecause("there are no pairs");
  const isExact = (options.method ?? (n <= EXACT_UP_TO ? "exact" : "normal")) === "exact";
  const tail = (first: number, second: number): OneWay => ({
    estimate: (first - second) / n,
    chance: isExact
      ? pairedTail(first, second, n)
      : (delta) => normalCdf(-pairedScore(first, second, n, delta)),
  });
  const label = isExact ? "paired likelihood-ratio test, mid-p" : "paired score test";
  // All differ one way, and count half.
  const floor = 2 ** -(n + 1);
  return answerFor({ up: tail(b, c), down: tail(c, b) }, { ...options, counts: [b, c, n], label, floor });
}

/**
 * The difference of two independent success rates. Up to 200 tries exact whatever the rates are: a difference is never claimed
 * where there is none more often than the level says.
 */
export function rateDifference(
  first: Proportion,
  second: Proportion,
  options: RateOptions = {},
): Result<RateDifference> {
  const problem =
    proportionProblem(first.successes, first.n) ?? proportionProblem(second.successes, second.n);
  if (problem) return unknownBecause(problem);
  const size = first.n + second.n;
  const isExact = (options.method ?? (size <= EXACT_UP_TO ? "exact" : "normal")) === "exact";
  const tail = (a: Proportion, b: Proportion): OneWay => {
    const [x, y] = [[a.successes, a.n] as const, [b.successes, b.n] as const];
    return {
      estimate: a.successes / a.n - b.successes / b.n,
      chance: isExact ? independentTail(x, y) : (delta) => normalCdf(-independentScore(x, y, delta)),
    };
  };
  const label = isExact ? "likelihood-ratio test, exact" : "score test";
  const counts = [first.successes, first.n, second.successes, second.n];
  const up = tail(first, second);
  const either = isExact
    ? independentTails([first.successes, first.n], [second.successes, second.n])
    : undefined;
  // All of one arm and none of the other, at the rate that makes this likeliest.
  const floor = (first.n / size) ** first.n * (second.n / size) ** second.n;
  return answerFor({ up, down: tail(second, first), either }, { ...options, counts, label, floor });
}

/** One direction of the question: how likely so high a difference is where the true one is `delta`. */
interface OneWay {
  estimate: number;
  chance(delta: number): number;
}

interface Ways {
  up: OneWay;
  down: OneWay;
  /** Of a deviation either way, where that is more than both of them tell. */
  either?: OneWay["chance"] | undefined;
}

interface Asked extends RateOptions {
  /** The counts, and how they are compared. */
  counts: readonly number[];
  label: string;
  /** The smallest chance, on one side. */
  floor: number;
}

/** Exact answers, of which many arms on the same tasks need the same again and again. */
const answers = new Map<string, Known<RateDifference>>();

function answerFor(ways: Ways, asked: Asked): Result<RateDifference> {
  const { level = 0.95, side = "two-sided", counts, label, floor } = asked;
  requireFraction(level, "level");
  const key = `${label} ${counts.join(" ")} ${level} ${side}`;
  const before = answers.get(key);
  if (before) return before;
  const isSymmetric = counts.length === 3 || counts[1] === counts[3];
  const least = side === "two-sided" && (isSymmetric || !ways.either) ? 2 * floor : floor;
  const size = counts.length === 3 ? plural(counts[2]!, "pair") : `${counts[1]} and ${counts[3]} tries`;
  const answer = {
    ...(side === "two-sided" && ways.either
      ? eitherWay(ways.up.estimate, ways.either, { level, method: label })
      : bothWays(ways, { level, side, method: label })),
    ...{ floor: least, cautions: floorCaution(least, size) },
  };
  if (answers.size >= 10_000) answers.clear();
  answers.set(key, answer);
  return answer;
}

function bothWays(
  { up, down }: Ways,
  { level, side, method }: { level: number; side: Side; method: string },
): Known<Omit<RateDifference, "floor">> {
  const share = side === "two-sided" ? (1 - level) / 2 : 1 - level;
  const [above, below] = [up.chance(0), down.chance(0)];
  const p = side === "greater" ? above : side === "less" ? below : Math.min(1, 2 * Math.min(above, below));
  return known({
    estimate: up.estimate,
    low: side === "less" ? Number.NEGATIVE_INFINITY : lowEnd(up, share, above),
    high: side === "greater" ? Number.POSITIVE_INFINITY : -lowEnd(down, share, below),
    ...{ p, level, side, method, cautions: [] },
  });
}

/** The interval of all differences that the chance of as large a deviation, either way, does not refute. */
function eitherWay(
  estimate: number,
  chance: OneWay["chance"],
  { level, method }: { level: number; method: string },
): Known<Omit<RateDifference, "floor">> {
  const p = Math.min(1, chance(0));
  const mirrored = { estimate: -estimate, chance: (delta: number) => chance(-delta) };
  return known({
    estimate,
    low: lowEnd({ estimate, chance }, 1 - level, p),
    high: -lowEnd(mirrored, 1 - level, p),
    ...{ p, level, side: "two-sided" as const, method, cautions: [] },
  });
}

/** How closely an end is found: a thousandth of a point. */
const CLOSE = 1e-5;

/**
 * The end of the interval: the true difference at which so high a one has the chance `share`. It is looked for on the
 * side of 0 that the test at 0 points to, so test and interval always agree.
 */
function lowEnd({ estimate, chance }: OneWay, share: number, atZero: number): number {
  const excess = (delta: number) => Math.log(Math.max(Number.MIN_VALUE, chance(delta)) / share);
  if (atZero <= share && estimate > 0) return Math.max(CLOSE, findRoot(excess, 0, estimate, CLOSE));
  if (excess(-1) > 0) return -1;
  return Math.min(0, findRoot(excess, -1, Math.min(0, estimate), CLOSE));
}
