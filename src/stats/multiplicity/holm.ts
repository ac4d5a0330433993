import type { Result } from "../result.ts";
import type { Sample } from "../sample.ts";
import { type Adjusted, adjust } from "./adjusted.ts";

/**
 * Holm's adjustment: the chance of even one false claim among all stays below alpha, whatever the tests share.
 * For a family of claims. Never worse than Bonferroni. Source: S. Holm, Scand. J. Stat. 6 (1979), 65-70.
 */
export function holm(ps: Sample): Result<Adjusted> {
  return adjust(ps, (rank, m) => m - rank + 1, { step: "down" });
}
