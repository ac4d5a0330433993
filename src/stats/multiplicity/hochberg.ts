import type { Result } from "../result.ts";
import type { Sample } from "../sample.ts";
import { type Adjusted, adjust } from "./adjusted.ts";

/** Hochberg's step-up adjustment: a little stronger than Holm's, for independent tests. Biometrika 75 (1988), 800-802. */
export function hochberg(ps: Sample): Result<Adjusted> {
  return adjust(ps, (rank, m) => m - rank + 1, { step: "up" });
}
