import { quantile } from "../../stats/index.ts";

/** Far out by Tukey's rule: three times the middle half's width beyond it. What is a little beyond stays as it is. */
const FAR = 3;
const DIVERGED = 10;

/**
 * Losses (smaller is better) with those that are far worse than the rest brought to the fence: a few runs that
 * diverged would else be all that a picture, or a variance, is about.
 */
export function clipWorst(losses: readonly number[]): { values: number[]; clipped: number; fence: number } {
  const [low, high] = [quantile(losses, 0.25), quantile(losses, 0.75)];
  const width = low.known && high.known ? high.value - low.value : 0;
  const worst = losses.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const hasDiverged = high.known && width > 0 && worst > high.value + DIVERGED * width;
  const fence = hasDiverged ? high.value + FAR * width : Number.POSITIVE_INFINITY;
  return {
    values: losses.map((loss) => Math.min(loss, fence)),
    clipped: losses.filter((loss) => loss > fence).length,
    fence,
  };
}
