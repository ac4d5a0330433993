import { incompleteBeta } from "../special/incomplete-beta.ts";

/** P(X <= x) of the F distribution with df1 and df2 degrees of freedom; `fTail` is its complement. DLMF 8.17(i). */
export function fCdf(x: number, df1: number, df2: number): number {
  if (x <= 0) return 0;
  const whole = df1 * x + df2;
  return incompleteBeta((df1 * x) / whole, df1 / 2, df2 / 2, df2 / whole);
}

/** P(X > x), accurate where it is tiny. */
export function fTail(x: number, df1: number, df2: number): number {
  if (x <= 0) return 1;
  if (x === Number.POSITIVE_INFINITY) return 0;
  const whole = df1 * x + df2;
  return incompleteBeta(df2 / whole, df2 / 2, df1 / 2, (df1 * x) / whole);
}
