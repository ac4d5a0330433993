import type { IntervalOptions } from "./interval.ts";

/** How a bootstrap distribution is turned into an interval. */
export type BootstrapMethod = "percentile" | "basic" | "bca" | "studentised";

/** What every bootstrap can be asked for. */
export interface BootstrapOptions extends IntervalOptions {
  /** 10,000 unless told: the ends then move by about 1 % of the width from seed to seed. */
  resamples?: number;
  /** The same seed gives the same interval, whatever else was drawn before. */
  seed?: number;
}

/** Below this many values percentile and BCa intervals cover clearly less than they say. */
const FEW = 20;

/** The sentences that go with a bootstrap of n values (or tasks). */
export function bootstrapCautions(n: number, method: BootstrapMethod, noun = "value"): string[] {
  if (n >= FEW || method === "studentised") return [];
  return [
    `with ${n} ${noun}s a ${method === "bca" ? "BCa" : method} interval covers less often than it says: below about ${FEW}, use t or the studentised bootstrap`,
  ];
}
