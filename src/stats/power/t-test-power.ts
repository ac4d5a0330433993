import { noncentralTCdf, tQuantile } from "../distributions/students-t.ts";
import { requireFraction, requirePositive } from "../options.ts";
import { known, type Result, unknownBecause, type Value } from "../result.ts";
import { findRoot } from "../special/find-root.ts";

/** How a comparison will be made, for questions about its power. */
export interface Design {
  /** "two-sample": n in each of two arms; "paired": n pairs, and sd is that of the differences. */
  design?: "two-sample" | "paired";
  /** The standard deviation of a value (of a difference, if paired): never a standard error. 1 unless told. */
  sd?: number;
  /** The share that trimmed means leave out at either end: `sd` is then that of a value whose mean is known as well. */
  trim?: number;
  alpha?: number;
  side?: "two-sided" | "one-sided";
  /** Whether a two-sided test that rejects in the wrong direction counts; "effect" is R's default. */
  tails?: "both" | "effect";
}

/** Fills in what a design leaves open, and checks it. */
function completeDesign(design: Design): Required<Design> {
  const { design: kind = "two-sample", sd = 1, trim = 0, alpha = 0.05 } = design;
  const { side = "two-sided", tails = "both" } = design;
  requirePositive(sd, "sd");
  requireFraction(alpha, "alpha");
  return { design: kind, sd, trim, alpha, side, tails };
}

/**
 * The power of a t test: how often it finds a true difference of `effect` with n runs an arm (or n pairs).
 * Source: J. Cohen, Statistical Power Analysis (1988), ch. 2; exact by the noncentral t.
 */
export function tTestPower(effect: number, n: number, design: Design = {}): Result<Value> {
  const complete = completeDesign(design);
  if (!Number.isFinite(effect)) return unknownBecause(`the effect is ${effect}, not a number`);
  if (!(n >= 2)) return unknownBecause(`a t test needs at least 2 runs, not ${n}`);
  return known({ value: powerAt(Math.abs(effect), n, complete) });
}

/** The same for checked arguments; n need not be whole, so that it can be solved for. */
function powerAt(effect: number, n: number, asked: Required<Design>): number {
  const { design, sd, trim, alpha, side, tails } = asked;
  const arms = design === "paired" ? 1 : 2;
  const df = Math.max(1, n * (1 - 2 * trim) - 1) * arms;
  const shift = (Math.sqrt(n / arms) * effect) / sd;
  const critical = -tQuantile(side === "two-sided" ? alpha / 2 : alpha, df);
  const right = noncentralTCdf(-critical, df, -shift);
  if (side === "one-sided" || tails === "effect") return right;
  return right + noncentralTCdf(-critical, df, shift);
}

/** How many runs an arm (or pairs) are needed: rounded up, and before rounding. */
export interface SampleSize {
  n: number;
  exact: number;
}

/** The n at which a t test finds a difference of `effect` with the power asked for; the inverse of tTestPower. */
export function sampleSize(effect: number, power: number, design: Design = {}): Result<SampleSize> {
  const complete = completeDesign(design);
  requireFraction(power, "power");
  if (!Number.isFinite(effect) || effect === 0) return unknownBecause("no n can find an effect of 0");
  const size = Math.abs(effect);
  const excess = (n: number) => powerAt(size, n, complete) - power;
  if (excess(2) >= 0) return known({ n: 2, exact: 2 });
  let high = 4;
  while (excess(high) < 0) {
    high *= 2;
    if (high > 1e9)
      return unknownBecause(`an effect of ${effect} is too small beside a spread of ${complete.sd}`);
  }
  const exact = findRoot(excess, high / 2, high);
  return known({ n: Math.ceil(exact - 1e-9), exact });
}

/** The smallest true difference that a t test with n runs an arm (or n pairs) finds with the power asked for. */
export function minimumDetectableEffect(n: number, power: number, design: Design = {}): Result<Value> {
  const complete = completeDesign(design);
  requireFraction(power, "power");
  if (!(n >= 2)) return unknownBecause(`a t test needs at least 2 runs, not ${n}`);
  const excess = (effect: number) => powerAt(effect, n, complete) - power;
  if (excess(0) >= 0)
    return unknownBecause(`a power of ${power} is what a test at ${complete.alpha} has without any effect`);
  let high = complete.sd;
  while (excess(high) < 0) high *= 2;
  return known({ value: findRoot(excess, 0, high) });
}
