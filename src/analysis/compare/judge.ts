import type { CompareOptions, Comparison, Unjudged, Verdict } from "./comparison.ts";
import { sentenceFor } from "./sentence.ts";

/** Says what a comparison means, given what its p is worth among the others. */
export function judge(
  { sizes, ...comparison }: Unjudged,
  adjustedP: number | null,
  { alpha = 0.05, margin, side = "two-sided" }: CompareOptions,
): Comparison {
  const verdict = verdictOf();
  const judged = {
    ...comparison,
    adjustedP,
    verdict,
    isRegression: verdict === "worse" && comparison.margin?.isExceeded !== false,
  };
  return { ...judged, sentence: sentenceFor(judged, { margin, side, sizes }) };

  function verdictOf(): Verdict {
    const { difference, goal } = comparison;
    if (!difference.known || adjustedP === null) return "unknown";
    if (comparison.isExact && difference.value === 0) return "equal";
    if (adjustedP > alpha || difference.value === 0) return comparison.isWithinMargin ? "equal" : "unclear";
    const isHigher = difference.value > 0;
    if (goal === null) return isHigher ? "higher" : "lower";
    return isHigher === (goal === "maximize") ? "better" : "worse";
  }
}
