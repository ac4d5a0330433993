import type { Side } from "../options.ts";

/**
 * An estimate with its uncertainty. `side: "greater"` leaves the upper end open (Infinity), `"less"` the lower.
 * `cautions` are sentences about this very interval that a report must not leave out.
 */
export interface Interval {
  estimate: number;
  low: number;
  high: number;
  level: number;
  side: Side;
  method: string;
  cautions: readonly string[];
}

/** What every interval can be asked for. */
export interface IntervalOptions {
  /** The confidence level; .95 unless told. */
  level?: number;
  side?: Side;
}
