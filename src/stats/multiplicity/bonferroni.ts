import type { Result } from "../result.ts";
import type { Sample } from "../sample.ts";
import { type Adjusted, adjust } from "./adjusted.ts";

/** Bonferroni's adjustment, m · p: simple and never better than Holm's; also the level for simultaneous intervals. */
export function bonferroni(ps: Sample): Result<Adjusted> {
  return adjust(ps, (_, m) => m, { step: "down" });
}
