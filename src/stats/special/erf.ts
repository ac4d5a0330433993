import { erfc, erfSeries } from "./erfc.ts";

/** The error function, to about 1e-15 relative. Source: DLMF 7.6.2 near zero, 1 − erfc beyond. */
export function erf(x: number): number {
  if (x < 0) return -erf(-x);
  return x < 1.5 ? erfSeries(x) : 1 - erfc(x);
}
