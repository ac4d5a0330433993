import type { Sample } from "../sample.ts";

/** x − y, pair by pair; the caller has checked that both have one length. */
export function differences(xs: Sample, ys: Sample): Float64Array {
  return Float64Array.from({ length: xs.length }, (_, i) => xs[i]! - ys[i]!);
}
