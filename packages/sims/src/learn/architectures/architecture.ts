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
