/**
 * What an agent keeps of the signs that it has seen in an episode, as a number below `states`: beside its place,
 * all that its choice of a move can depend on.
 */
export interface Architecture {
  states: number;
  /** A new episode. */
  reset(): void;
  /** Takes in what the sign in the agent's cell shows (0 for none) and gives the state after that. */
  see(sign: number): number;
}

/** Knows what it sees now and nothing else, as if it were reset at each step. */
export function vitReset(symbols: number): Architecture {
  return { states: symbols + 1, reset() {}, see: (sign) => sign };
}

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

/** By the names of the benchmark whose protocol studies of this target follow. */
export const architectures = { vit_reset: vitReset, trxl };

export type ArchitectureName = keyof typeof architectures;
