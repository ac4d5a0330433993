import { FEWEST_A_SIDE } from "./best-split.ts";

/** −2 ln(1 − √.95): the 95 % point of the likelihood ratio of a place, (1 − e^(−x/2))². */
const LIMIT = 7.352;

/**
 * The first and the last place where the one step of these values could be, with 95 % confidence: all places whose
 * scatter about the two means is not much above the least. Holds roughly where there are enough values for the
 * noise to be known, and is wide where the step is small.
 * Source: B. E. Hansen, Econometrica 68 (2000), 575-603.
 */
export function placesOf(values: readonly number[]): { first: number; last: number } {
  const n = values.length;
  const rests = new Map<number, number>();
  for (let k = FEWEST_A_SIDE; k <= n - FEWEST_A_SIDE; k++)
    rests.set(k, scatter(values.slice(0, k)) + scatter(values.slice(k)));
  const least = Math.min(...rests.values());
  const noise = least / (n - 2);
  const possible = [...rests].filter(([, rest]) => rest - least <= LIMIT * noise).map(([k]) => k);
  return { first: possible[0]!, last: possible.at(-1)! };
}

function scatter(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}
