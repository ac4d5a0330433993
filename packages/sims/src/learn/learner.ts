const MOVES = 4;

export interface LearnerOptions {
  states: number;
  longestEpisode: number;
  learningRate: number;
  discount: number;
  lambda: number;
  /** What every move is taken to be worth until it has been tried. */
  hope: number;
}

/**
 * Learns the value of each move in each state from whole episodes: Q(lambda) of Peng and Williams ("Incremental
 * multi-step Q-learning", 1996) in its forward view, from the end of the episode to its beginning. It uses +, -, * and / only, so it learns the same on every machine.
 */
export class Learner {
  readonly #values: Float64Array;
  readonly #options: LearnerOptions;
  readonly #states: Int32Array;
  readonly #moves: Uint8Array;
  readonly #rewards: Float64Array;
  #length = 0;

  constructor(options: LearnerOptions) {
    this.#options = options;
    this.#values = new Float64Array(options.states * MOVES).fill(options.hope);
    this.#states = new Int32Array(options.longestEpisode);
    this.#moves = new Uint8Array(options.longestEpisode);
    this.#rewards = new Float64Array(options.longestEpisode);
  }

  /** The best move so far. `u` in (0, 1) says which of equally good ones. */
  best(state: number, u: number): number {
    const row = state * MOVES;
    let best = Math.floor(u * MOVES);
    for (let i = 1, move = best; i < MOVES; i++) {
      move = (move + 1) % MOVES;
      if (this.#values[row + move]! > this.#values[row + best]!) best = move;
    }
    return best;
  }

  remember(state: number, move: number, reward: number): void {
    this.#states[this.#length] = state;
    this.#moves[this.#length] = move;
    this.#rewards[this.#length++] = reward;
  }

  /** The end of an episode; `last` is the state it broke off in, or null where the goal ended it. */
  learn(last: number | null): void {
    const { learningRate, discount, lambda } = this.#options;
    let value = last === null ? 0 : this.#highest(last);
    let gain = value;
    for (let t = this.#length - 1; t >= 0; t--) {
      const state = this.#states[t]!;
      const entry = state * MOVES + this.#moves[t]!;
      gain = this.#rewards[t]! + discount * ((1 - lambda) * value + lambda * gain);
      this.#values[entry]! += learningRate * (gain - this.#values[entry]!);
      value = this.#highest(state);
    }
    this.#length = 0;
  }

  /** States in which a move has been tried. */
  countKnown(): number {
    let known = 0;
    for (let row = 0; row < this.#values.length; row += MOVES) {
      if (this.#values.subarray(row, row + MOVES).some((value) => value !== this.#options.hope)) known++;
    }
    return known;
  }

  #highest(state: number): number {
    const row = state * MOVES;
    const values = this.#values;
    return Math.max(values[row]!, values[row + 1]!, values[row + 2]!, values[row + 3]!);
  }
}
