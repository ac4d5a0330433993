import type { Architecture } from "./architecture.ts";

/** Knows what it sees now and nothing else, as if it were reset at each step. */
export function vitReset(symbols: number): Architecture {
  return { states: symbols + 1, reset() {}, see: (sign) => sign };
}
