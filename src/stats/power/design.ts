import { requireFraction, requirePositive } from "../options.ts";

/** How a comparison will be made, for questions about its power. */
export interface Design {
  /** "two-sample": n in each of two arms; "paired": n pairs, and sd is that of the differences. */
  design?: "two-sample" | "paired";
  /** The standard deviation of a value (of a difference, if paired): never a standard error. 1 unless told. */
  sd?: number;
  alpha?: number;
  side?: "two-sided" | "one-sided";
  /** Whether a two-sided test that rejects in the wrong direction counts; "effect" is R's default. */
  tails?: "both" | "effect";
}

/** Fills in what a design leaves open, and checks it. */
export function completeDesign(design: Design): Required<Design> {
  const { design: kind = "two-sample", sd = 1, alpha = 0.05, side = "two-sided", tails = "both" } = design;
  requirePositive(sd, "sd");
  requireFraction(alpha, "alpha");
  return { design: kind, sd, alpha, side, tails };
}
