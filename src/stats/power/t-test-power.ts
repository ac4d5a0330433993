import { noncentralTCdf } from "../distributions/noncentral-t-cdf.ts";
import { tQuantile } from "../distributions/t-quantile.ts";
import { known, type Result, unknownBecause, type Value } from "../result.ts";
import { completeDesign, type Design } from "./design.ts";

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
export function powerAt(
  effect: number,
  n: number,
  { design, sd, alpha, side, tails }: Required<Design>,
): number {
  const arms = design === "paired" ? 1 : 2;
  const df = (n - 1) * arms;
  const shift = (Math.sqrt(n / arms) * effect) / sd;
  const critical = -tQuantile(side === "two-sided" ? alpha / 2 : alpha, df);
  const right = noncentralTCdf(-critical, df, -shift);
  if (side === "one-sided" || tails === "effect") return right;
  return right + noncentralTCdf(-critical, df, shift);
}
