import type { Sample } from "../sample.ts";
import { sum } from "./sum.ts";

/** The mean of (x − mean)^order; the caller has checked the sample. */
export function centralMoment(xs: Sample, order: number): number {
  const centre = sum(xs) / xs.length;
  let total = 0;
  for (let i = 0; i < xs.length; i++) total += (xs[i]! - centre) ** order;
  return total / xs.length;
}
