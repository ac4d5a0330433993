import { RandomStream } from "assay/plugin";
import { type Curriculum, drawTerrain, GOAL, MUD, neighbour, type Terrain } from "./terrain.ts";

const STEP_REWARD = -0.01;
const MUD_REWARD = -0.05;
const RIGHT_GOAL_REWARD = 1;

export interface WorldOptions {
  maps: number;
  /** Probability that a move goes astray. */
  slip: number;
  /** What the other goals pay. */
  wrongGoalReward: number;
}

/**
 * The maps of one seed, with an agent on one of them. What chance decides depends on the seed, the episode and
 * the step, and never on what the agent did before: two architectures under one seed meet the same maps, the same
 * signs and the same slips.
 */
export class World {
  /** What a sign may show, 1 to this; 0 is no sign. Two for each of the two signs. */
  static readonly SYMBOLS = 4;

  readonly places: number;
  reward = 0;
  isOver = false;
  /** Whether the episode ended at the goal that pays in full. */
  isWon = false;

  readonly #maps: Terrain[];
  readonly #cellsPerMap: number;
  readonly #goals: number;
  readonly #options: WorldOptions;
  readonly #episodes: RandomStream;
  readonly #slips: RandomStream;
  readonly #pair = new Float64Array(2);
  #episode = -1;
  #step = 0;
  #map = 0;
  #cell = 0;
  #bits = 0;

  constructor(curriculum: Curriculum, seed: number, options: WorldOptions) {
    const terrains = new RandomStream(seed, "learn/terrain");
    this.#maps = Array.from({ length: options.maps }, (_, i) => drawTerrain(curriculum, terrains, i));
    this.#goals = curriculum.goals;
    this.#options = options;
    this.#episodes = new RandomStream(seed, "learn/episode");
    this.#slips = new RandomStream(seed, "learn/slip");
    this.#cellsPerMap = curriculum.size * curriculum.size;
    this.places = options.maps * this.#cellsPerMap;
  }

  /** Where the agent is: a number below `places`. */
  get place(): number {
    return this.#map * this.#cellsPerMap + this.#cell;
  }

  /** What the sign in the agent's cell shows; 0 where there is none. */
  get sign(): number {
    const { start, gate } = this.#maps[this.#map]!;
    if (this.#cell === start) return 1 + (this.#bits >> 1);
    return this.#cell === gate ? 3 + (this.#bits & 1) : 0;
  }

  /** A new episode: one of the maps, and new signs. */
  begin(): void {
    this.#episode++;
    this.#step = 0;
    this.isOver = false;
    this.isWon = false;
    this.#episodes.uniformPair(this.#pair, this.#episode);
    this.#map = Math.floor(this.#pair[0]! * this.#maps.length);
    this.#bits = Math.floor(this.#pair[1]! * 4);
    this.#cell = this.#maps[this.#map]!.start;
  }

  move(direction: number): void {
    const terrain = this.#maps[this.#map]!;
    this.#slips.uniformPair(this.#pair, this.#episode, this.#step++);
    const taken = this.#pair[0]! < this.#options.slip ? Math.floor(this.#pair[1]! * 4) : direction;
    this.#cell = neighbour(terrain, this.#cell, taken);
    const kind = terrain.cells[this.#cell]!;
    this.reward = kind === MUD ? MUD_REWARD : STEP_REWARD;
    if (kind < GOAL) return;
    this.isOver = true;
    this.isWon = kind - GOAL === this.#payingGoal();
    this.reward += this.isWon ? RIGHT_GOAL_REWARD : this.#options.wrongGoalReward;
  }

  #payingGoal(): number {
    if (this.#goals === 4) return this.#bits;
    return this.#goals === 2 ? this.#bits >> 1 : 0;
  }
}
