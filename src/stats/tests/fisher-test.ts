import { known, type Result, unknownBecause } from "../result.ts";
import { lnChoose } from "../special/choose.ts";
import { sidedP, type TestOptions, type TestResult } from "./p-value.ts";

/** Successes and failures of one arm. */
export type Tally = readonly [successes: number, failures: number];

/**
 * Fisher's exact test that two independent arms succeed equally often, given how many successes there were
 * altogether. Two-sided: all tables no likelier than this one. Conservative at small n.
 * Source: R. A. Fisher, Statistical Methods for Research Workers (1934), 21.02.
 */
export function fisherTest(
  first: Tally,
  second: Tally,
  { side = "two-sided" }: TestOptions = {},
): Result<TestResult> {
  const [a, b] = first;
  const [c, d] = second;
  if (![a, b, c, d].every((x) => Number.isInteger(x) && x >= 0))
    return unknownBecause("counts must be whole numbers");
  if (a + b === 0 || c + d === 0) return unknownBecause("one arm is empty");
  const m = a + b;
  const n = c + d;
  const successes = a + c;
  if (successes === 0 || successes === m + n) return unknownBecause("all outcomes are the same");
  const whole = lnChoose(m + n, successes);
  const chance = (x: number) => Math.exp(lnChoose(m, x) + lnChoose(n, successes - x) - whole);
  const observed = chance(a);
  let below = 0;
  let above = 0;
  let unlikely = 0;
  for (let x = Math.max(0, successes - n); x <= Math.min(m, successes); x++) {
    const p = chance(x);
    if (x <= a) below += p;
    if (x >= a) above += p;
    if (p <= observed * (1 + 1e-7)) unlikely += p;
  }
  const p = side === "two-sided" ? Math.min(1, unlikely) : sidedP(below, above, side);
  return known({ statistic: a, p, side, method: "Fisher, exact", cautions: [] });
}
