import { normalCdf, normalQuantile } from "../distributions/normal.ts";
import type { PairedOutcomes } from "../intervals/proportion-intervals.ts";
import { requireFraction } from "../options.ts";
import { independentRejection, pairedRejection, type Rejection } from "../rates/exact-tails.ts";
import { EXACT_UP_TO } from "../rates/rate-difference.ts";
import { known, type Result, unknownBecause, type Value } from "../result.ts";

/** Two success rates that differ by `effect`, and how they are compared. */
export interface RateSetting {
  effect: number;
  /** Of the same tasks: the share that only one arm solves. */
  differing?: number;
  /** Of independent groups: the rate of one of them; the other's is that plus the effect. */
  rate?: number;
  alpha?: number;
  side?: "two-sided" | "one-sided";
}

/**
 * The share of pairs that only one arm would pass at other rates than those seen, if pairs hold together as they did: at the same odds
 * ratio. Where a count is 0, a half stands for it and is added to the others. Sources: R. L. Plackett, JASA 60 (1965), 516-522;
 * J. B. S. Haldane, Annals of Human Genetics 20 (1956), 309-311.
 */
export function differingShare(seen: PairedOutcomes, [first, second]: readonly [number, number]): number {
  const counts = [seen.both, seen.neither, seen.onlyFirst, seen.onlySecond];
  const added = counts.includes(0) ? 0.5 : 0;
  const [both, neither, onlyFirst, onlySecond] = counts.map((count) => count + added) as [
    number,
    number,
    number,
    number,
  ];
  const odds = (both * neither) / (onlyFirst * onlySecond);
  const sum = 1 + (first + second) * (odds - 1);
  const root = Math.sqrt(Math.max(0, sum ** 2 - 4 * odds * (odds - 1) * first * second));
  const together = (2 * odds * first * second) / (sum + root);
  return Math.min(1, Math.max(Math.abs(first - second), first + second - 2 * together));
}

/** The power of `pairedRateDifference` with n pairs, or of `rateDifference` with n tries in each arm. */
export function ratePower(n: number, setting: RateSetting): Result<Value> {
  const problem = settingProblem(setting);
  if (problem) return unknownBecause(problem);
  if (!(Number.isInteger(n) && n >= 1)) return unknownBecause(`${n} isn't a number of tries`);
  const { effect, alpha = 0.05, side = "two-sided" } = setting;
  const share = side === "two-sided" ? alpha / 2 : alpha;
  const isPaired = setting.differing !== undefined;
  const [first, second] = chancesOf(setting);
  const size = isPaired ? n : 2 * n;
  if (size > EXACT_UP_TO) return known({ value: normalPower(n, setting, share) });
  const { chance } = rejection(n, share, isPaired);
  const found = chance(first, second);
  return known({
    value: side === "two-sided" ? found + chance(second, first) : effect === 0 ? share : found,
  });
}

/** The pairs, or tries in each arm, at which two rates are told apart with the power asked for. */
export function rateSampleSize(power: number, setting: RateSetting): Result<{ n: number }> {
  requireFraction(power, "power");
  const problem = settingProblem(setting);
  if (problem) return unknownBecause(problem);
  if (setting.effect === 0) return unknownBecause("no n can find a difference of 0");
  const isEnough = (n: number) => {
    const found = ratePower(n, setting);
    return found.known && found.value >= power;
  };
  let high = 4;
  while (!isEnough(high)) {
    high *= 2;
    if (high > 1e9) return unknownBecause(`a difference of ${setting.effect} is too small`);
  }
  let low = high / 2;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return known({ n: high });
}

/**
 * The smallest difference, to a tenth of a point, that n pairs, or n tries in each arm, find with the power asked for; none is larger
 * than `largest`.
 */
export function smallestRateEffect(
  n: number,
  power: number,
  of: (effect: number) => RateSetting,
  largest = 1,
): Result<Value> {
  requireFraction(power, "power");
  const isFound = (effect: number) => {
    const found = ratePower(n, of(effect));
    return found.known && found.value >= power;
  };
  let [low, high] = [0, largest];
  while (!isFound(high)) {
    // At 1 both rates may be out of reach: one of a half is not.
    high -= 0.05;
    if (high <= 0) return unknownBecause("not even the largest difference is found so often");
  }
  while (high - low > 0.001) {
    const middle = (low + high) / 2;
    if (isFound(middle)) high = middle;
    else low = middle;
  }
  return known({ value: high });
}

function settingProblem({ effect, differing, rate, alpha = 0.05 }: RateSetting): string | undefined {
  requireFraction(alpha, "alpha");
  if (!(Math.abs(effect) <= 1)) return "rates differ by 1 at most";
  if (differing !== undefined)
    return differing >= 0 && differing <= 1 ? undefined : "shares lie between 0 and 1";
  if (rate === undefined) return "neither a rate is given nor how often pairs differ";
  const isInside = rate >= 0 && rate <= 1 && rate + effect >= 0 && rate + effect <= 1 + 1e-12;
  return isInside ? undefined : "success rates lie between 0 and 1";
}

/** The better arm first: the chances that it alone passes and that the other does, or the two rates. */
function chancesOf({ effect, differing, rate = 0 }: RateSetting): [number, number] {
  const size = Math.abs(effect);
  if (differing === undefined) return [Math.max(rate, rate + effect), Math.min(rate, rate + effect)];
  const some = Math.max(differing, size);
  return [(some + size) / 2, (some - size) / 2];
}

/** Sources: R. J. Connor, Biometrics 43 (1987), 207-211; J. L. Fleiss et al. (2003), (4.14). */
function normalPower(n: number, setting: RateSetting, share: number): number {
  const [first, second] = chancesOf(setting);
  const isPaired = setting.differing !== undefined;
  const mean = (first + second) / 2;
  const under = isPaired ? first + second : 2 * mean * (1 - mean);
  const size = first - second;
  const truly = isPaired ? first + second - size ** 2 : first * (1 - first) + second * (1 - second);
  const z = -normalQuantile(share);
  if (truly <= 0) return Math.sqrt(n) * size > z * Math.sqrt(under) ? 1 : 0;
  const shift = (sign: number) => (sign * Math.sqrt(n) * size - z * Math.sqrt(under)) / Math.sqrt(truly);
  return normalCdf(shift(1)) + (setting.side === "one-sided" ? 0 : normalCdf(shift(-1)));
}

/** What rejects depends on the sizes alone, and a plan asks of many effects. */
const regions = new Map<string, Rejection>();

function rejection(n: number, share: number, isPaired: boolean): Rejection {
  const key = `${n} ${share} ${isPaired}`;
  let region = regions.get(key);
  if (!region) {
    region = isPaired ? pairedRejection(n, share) : independentRejection(n, share);
    if (regions.size > 500) regions.clear();
    regions.set(key, region);
  }
  return region;
}
