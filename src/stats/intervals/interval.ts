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

/** The shares of a distribution at which an interval ends; null where that side stays open. */
export interface TailShares {
  low: number | null;
  high: number | null;
}

/** Where an interval of a level and a side cuts the distribution of its estimate. */
export function tailShares(level: number, side: Side): TailShares {
  if (side === "greater") return { low: 1 - level, high: null };
  if (side === "less") return { low: null, high: level };
  return { low: (1 - level) / 2, high: (1 + level) / 2 };
}
