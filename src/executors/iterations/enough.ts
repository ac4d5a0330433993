import type { Study } from "../../core/study.ts";
import { quantileOfSorted } from "../../stats/summaries/quantiles.ts";

/** Below this an interval of the median says nothing. */
const FEWEST = 10;
const NORMAL_95 = 1.96;

/**
 * Whether a run has iterations enough: as many as asked for, or its time is up, or the 95 % interval of its median is
 * narrow enough. That interval is within the run: what differs from one start to the next is not in it. It is looked at
 * whenever there are a tenth more values than at the last look, so all looks take little longer than the last one.
 */
export class Enough {
  readonly #rule: Study["iterations"];
  readonly #now: () => number;
  readonly #startedAt: number;
  #next = FEWEST;

  constructor(rule: Study["iterations"], now: () => number = () => performance.now()) {
    this.#rule = rule;
    this.#now = now;
    this.#startedAt = now();
  }

  has(durationsMs: readonly number[]): boolean {
    const { measured, timeMs, until } = this.#rule;
    const count = durationsMs.length;
    if (count >= measured) return true;
    if (timeMs !== undefined && count > 0 && this.#now() - this.#startedAt >= timeMs) return true;
    if (until === undefined || count < this.#next) return false;
    this.#next = Math.ceil(count * 1.1);
    return halfWidth(durationsMs) <= until;
  }
}

/**
 * Half the 95 % interval of the median as a share of it, by the ranks that a binomial leaves around the middle.
 * Source: W. J. Conover, Practical Nonparametric Statistics (3rd ed., 1999), section 3.2.
 */
export function halfWidth(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const n = sorted.length;
  const reach = (NORMAL_95 * Math.sqrt(n)) / 2;
  const low = sorted[Math.max(0, Math.floor(n / 2 - reach))]!;
  const high = sorted[Math.min(n - 1, Math.ceil(n / 2 + reach))]!;
  const middle = quantileOfSorted(sorted, 0.5);
  return middle > 0 ? (high - low) / 2 / middle : Number.POSITIVE_INFINITY;
}
