import type { Architecture } from "./architecture.ts";

/**
 * Remembers the last `memory` signs that differ from the one before. What to make of them it has to learn.
 * The state is a number in base `symbols + 1`, the newest sign its last digit.
 */
export function trxl(symbols: number, memory: number): Architecture {
  const base = symbols + 1;
  let states = 1;
  for (let i = 0; i < memory; i++) states *= base;
  let state = 0;
  return {
    states,
    reset() {
      state = 0;
    },
    see(sign) {
      if (sign !== 0 && sign !== state % base) state = (state * base + sign) % states;
      return state;
    },
  };
}
