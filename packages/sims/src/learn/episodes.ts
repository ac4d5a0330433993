import { RandomStream } from "assay/plugin";
import type { Architecture } from "./architectures/architecture.ts";
import { Learner, type LearnerOptions } from "./learner.ts";
import type { World } from "./world.ts";

type Options = Omit<LearnerOptions, "states">;

/** An agent in its world, one episode after another. */
export class Episodes {
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
