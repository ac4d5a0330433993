import { normalCdf } from "../distributions/normal-cdf.ts";
import type { Side } from "../options.ts";

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
