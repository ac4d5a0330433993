import { rounded } from "../../core/number-text.ts";
import { normalCdf } from "../distributions/normal.ts";
import type { Side } from "../options.ts";
import { type Sample, sampleProblem } from "../sample.ts";

/**
 * What a test says. `p` is the probability of data at least as far from the null hypothesis, if it is true.
 * `floor` is the smallest p that these sizes can give, where that is worth knowing; `cautions` go in the report.
 */
export interface TestResult {
  statistic: number;
  p: number;
  side: Side;
  method: string;
  cautions: readonly string[];
  df?: number;
  floor?: number;
}

/** What every test can be asked for. */
export interface TestOptions {
  side?: Side;
}

/** p from the two tails of a statistic's distribution, each including what was observed; two-sided doubles the smaller. */
export function sidedP(below: number, above: number, side: Side): number {
  if (side === "greater") return Math.min(1, above);
  if (side === "less") return Math.min(1, below);
  return Math.min(1, 2 * Math.min(below, above));
}

/**
 * p of a statistic whose distance from its expectation is near normal. The continuity correction moves whole-number
 * statistics half a step towards the centre.
 */
export function normalP(
  distance: number,
  sd: number,
  { side, continuity }: { side: Side; continuity: boolean },
): number {
  const step = continuity ? 0.5 : 0;
  if (side === "greater") return normalCdf((step - distance) / sd);
  if (side === "less") return normalCdf((distance + step) / sd);
  return Math.min(1, 2 * normalCdf((Math.min(step, Math.abs(distance)) - Math.abs(distance)) / sd));
}

/** The sentence for a test that could not have reached .05, however clear the data. */
export function floorCaution(floor: number, of: string): string[] {
  if (floor <= 0.05) return [];
  return [`${of} can't give a p below ${rounded(floor, 3)}, however clear the data`];
}

/** The probabilities of a sum at most and at least `observed`, from the counts of each sum. */
export function exactTails(counts: Float64Array, observed: number): { below: number; above: number } {
  let total = 0;
  let below = 0;
  let above = 0;
  for (let s = 0; s < counts.length; s++) {
    total += counts[s]!;
    if (s <= observed) below += counts[s]!;
    if (s >= observed) above += counts[s]!;
  }
  return { below: below / total, above: above / total };
}

/** Why groups can't be compared, or undefined if they can. */
export function groupsProblem(groups: readonly Sample[], atLeast: number): string | undefined {
  if (groups.length < 2)
    return `there is ${groups.length === 1 ? "one group" : "no group"} and a comparison needs two`;
  for (const [i, group] of groups.entries()) {
    const problem = sampleProblem(group, atLeast, `group ${i + 1}`);
    if (problem) return problem;
  }
  return undefined;
}
