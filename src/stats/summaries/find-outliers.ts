import type { Sample } from "../sample.ts";
import { median } from "./median.ts";

/** By how many robust standard deviations a value must stand apart. */
const FAR = 3.5;
const MAD_TO_SD = 1.4826;

/**
 * Values far from the rest, by their distance from the median in units of the median absolute deviation; to be
 * looked at, never to be dropped. Source: B. Iglewicz and D. C. Hoaglin, How to Detect and Handle Outliers (1993).
 */
export function findOutliers(xs: Sample): number[] {
  const middle = median(xs);
  if (xs.length < 5 || !middle.known) return [];
  const distances = Float64Array.from(xs, (x) => Math.abs(x - middle.value));
  const spread = median(distances);
  if (!spread.known || spread.value === 0) return [];
  const limit = FAR * MAD_TO_SD * spread.value;
  const far: number[] = [];
  for (let i = 0; i < distances.length; i++) if (distances[i]! > limit) far.push(i);
  return far;
}
