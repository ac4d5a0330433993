import type { Side } from "../options.ts";

/** p from the two tails of a statistic's distribution, each including what was observed; two-sided doubles the smaller. */
export function sidedP(below: number, above: number, side: Side): number {
  if (side === "greater") return Math.min(1, above);
  if (side === "less") return Math.min(1, below);
  return Math.min(1, 2 * Math.min(below, above));
}
