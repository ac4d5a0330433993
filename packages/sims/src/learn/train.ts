import { RandomStream } from "assay/plugin";
import { type Architecture, architectures } from "./architectures.ts";
import type { LearnParams } from "./index.ts";
import { curricula } from "./terrain.ts";
import { World } from "./world.ts";

type Options = Omit<LearnerOptions, "states">;

/** An agent in its world, one episode after another. */
class Episodes {
  readonly learner: Learner;
  /** Episodes that have ended. */
  ended = 0;
  /** Of the episode under way. */
  reward = 0;
  steps = 0;
  readonly #world: World;
  readonly #architecture: Architecture;
  readonly #longest: number;
  readonly #explorations: RandomStream;
  readonly #pair = new Float64Array(2);
  #state = 0;

  constructor(world: World, architecture: Architecture, seed: number, options: Options) {
    this.#world = world;
    this.#architecture = architecture;
    this.#longest = options.longestEpisode;
    this.#explorations = new RandomStream(seed, "learn/explore");
    this.learner = new Learner({ ...options, states: world.places * architecture.states });
    this.#begin();
  }

  get isAtEnd(): boolean {
    return this.#world.isOver || this.steps === this.#longest;
  }

  /** One step, at random with probability `exploration`. */
  step(exploration: number): void {
    this.#explorations.uniformPair(this.#pair, this.ended, this.steps);
    const u = this.#pair[1]!;
    const move = this.#pair[0]! < exploration ? Math.floor(u * 4) : this.learner.best(this.#state, u);
    this.#world.move(move);
    this.learner.remember(this.#state, move, this.#world.reward);
    this.#state = this.#observe();
    this.reward += this.#world.reward;
    this.steps++;
  }

  /** Learns from the episode that is at its end and begins the next. */
  turnOver(): void {
    this.learner.learn(this.#world.isOver ? null : this.#state);
    this.ended++;
    this.#begin();
  }

  #begin(): void {
    this.#world.begin();
    this.#architecture.reset();
    this.reward = 0;
    this.steps = 0;
    this.#state = this.#observe();
  }

  #observe(): number {
    return this.#world.place * this.#architecture.states + this.#architecture.see(this.#world.sign);
  }
}

/** One point of the learning curve: means over the episodes that ended since the point before. */
export interface CurvePoint {
  step: number;
  /** Sum of an episode's rewards. */
  reward: number;
  /** Share of episodes that ended at the goal that pays in full. */
  success: number;
  /** Steps of an episode. */
  length: number;
  /** Share of random moves. */
  exploration: number;
  /** Episodes so far. */
  episodes: number;
}

/** Trains one agent from scratch; gives the points of its learning curve, then how many states it came to know. */
export function* train(params: LearnParams, seed: number): Generator<CurvePoint, { states: number }> {
  const { steps, points } = params;
  const { world, episodes } = startTraining(params, seed);
  let since = { reward: 0, won: 0, steps: 0, episodes: 0 };
  let point = 1;
  for (let step = 1; step <= steps; step++) {
    const exploration = explorationAt(step / steps, params);
    episodes.step(exploration);
    if (episodes.isAtEnd) {
      since.reward += episodes.reward;
      since.won += world.isWon ? 1 : 0;
      since.steps += episodes.steps;
      since.episodes++;
      episodes.turnOver();
    }
    if (step < Math.round((point * steps) / points)) continue;
    // Never without an episode: the schema keeps points further apart than the longest one.
    const n = since.episodes;
    const means = { reward: since.reward / n, success: since.won / n, length: since.steps / n };
    yield { step, ...means, exploration, episodes: episodes.ended };
    since = { reward: 0, won: 0, steps: 0, episodes: 0 };
    point++;
  }
  return { states: episodes.learner.countKnown() };
}

function startTraining(params: LearnParams, seed: number): { world: World; episodes: Episodes } {
  const curriculum = curricula[params.curriculum];
  const world = new World(curriculum, seed, {
    maps: params.maps,
    slip: params.slip,
    wrongGoalReward: params.wrong_goal_reward,
  });
  const architecture = architectures[params.architecture](World.SYMBOLS, params.memory);
  const episodes = new Episodes(world, architecture, seed, {
    longestEpisode: curriculum.longestEpisode,
    learningRate: params.learning_rate,
    discount: params.discount,
    lambda: params.lambda,
    hope: params.hope,
  });
  return { world, episodes };
}

/** Falls on a straight line, then stays. `progress` is the share of the training that is over. */
function explorationAt(progress: number, params: LearnParams): number {
  const { explore_start, explore_end, explore_share } = params;
  if (progress >= explore_share) return explore_end;
  return explore_start + (progress / explore_share) * (explore_end - explore_start);
}

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
class Learner {
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
