import type { Result } from "../result.ts";
import type { Sample } from "../sample.ts";
import { type Adjusted, adjust } from "./adjusted.ts";

/** Benjamini and Hochberg's guarantee under any dependence, at the price of a factor ln m. Ann. Stat. 29 (2001), 1165. */
export function benjaminiYekutieli(ps: Sample): Result<Adjusted> {
  let harmonic = 0;
  for (let i = 1; i <= ps.length; i++) harmonic += 1 / i;
  return adjust(ps, (rank, m) => (harmonic * m) / rank, { step: "up" });
}
