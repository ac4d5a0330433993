import { coefficientOfVariation, known, type Result, unknownBecause } from "../../stats/index.ts";

export interface LegacyCv {
  points: { n: number; cv: number }[];
  /** The first n under the threshold. */
  first: number | null;
}

/** What the curve can't tell; goes wherever the curve goes. */
export const LEGACY_SENTENCE =
  "The coefficient of variation describes how much runs differ; it does not fall as runs are added, so the n at which it first dips under a threshold is chance (usually n = 2) and says nothing about how many seeds are enough.";

/** The coefficient of variation of the first n runs, in the order given, for n = 2 to N. */
export function legacyCv(values: readonly number[], threshold: number): Result<LegacyCv> {
  const points: LegacyCv["points"] = [];
  for (let n = 2; n <= values.length; n++) {
    const cv = coefficientOfVariation(values.slice(0, n));
    if (cv.known) points.push({ n, cv: cv.value });
    else if (n === values.length) return unknownBecause(cv.why);
  }
  if (points.length === 0)
    return unknownBecause(`the sample has ${values.length} value and this needs at least 2`);
  return known({ points, first: points.find(({ cv }) => cv < threshold)?.n ?? null });
}
