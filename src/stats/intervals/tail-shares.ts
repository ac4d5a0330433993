import type { Side } from "../options.ts";

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
