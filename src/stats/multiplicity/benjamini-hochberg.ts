import type { Result } from "../result.ts";
import type { Sample } from "../sample.ts";
import { type Adjusted, adjust } from "./adjusted.ts";

/**
 * Benjamini and Hochberg's adjustment: of what is called a discovery, at most a share alpha is false on average.
 * For a screen of many arms, whose finds are confirmed on fresh seeds. Source: JRSS B 57 (1995), 289-300.
 */
export function benjaminiHochberg(ps: Sample): Result<Adjusted> {
  return adjust(ps, (rank, m) => m / rank, { step: "up" });
}
