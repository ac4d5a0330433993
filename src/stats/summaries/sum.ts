import type { Sample } from "../sample.ts";

/** The sum of all values with compensated rounding (A. Neumaier, ZAMM 54 (1974), 39-51): error does not grow with n. */
export function sum(xs: Sample): number {
  let total = 0;
  let lost = 0;
  for (let i = 0; i < xs.length; i++) {
    const x = xs[i]!;
    const next = total + x;
    lost += Math.abs(total) >= Math.abs(x) ? total - next + x : x - next + total;
    total = next;
  }
  return total + lost;
}
