import type { Result, Value } from "../result.ts";
import type { Sample } from "../sample.ts";
import { quantile } from "./quantile.ts";

/** The middle value, or the mean of the two in the middle: half the runs lie on each side. */
export function median(xs: Sample): Result<Value> {
  return quantile(xs, 0.5);
}
