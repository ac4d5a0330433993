import { RandomStream } from "assay/plugin";
import type { Points } from "./spatial-index.ts";

export const PATTERNS = ["uniform", "clustered", "linear", "random"] as const;
type Pattern = (typeof PATTERNS)[number];

interface Drawing {
  count: number;
  worldSize: number;
  seed: number;
  /** What the places are for: drawings for different purposes are independent. */
  purpose: string;
}

const CLUSTERS = 8;
/** Of the world's side: how far from its middle a cluster reaches. */
const CLUSTER_REACH = 0.06;

/**
 * Places in a square world: evenly spaced (uniform), in heaps (clustered), along the diagonal (linear), or each
 * anywhere (random). Arithmetic alone, no logarithms and sines, so every machine draws the same bits.
 */
export function drawPlaces(pattern: Pattern, { count, worldSize, seed, purpose }: Drawing): Points {
  const draw = new RandomStream(seed, `farm/spatial/${purpose}/${pattern}`).sequence();
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  const columns = Math.ceil(Math.sqrt(count));
  const middles = Array.from({ length: 2 * CLUSTERS }, () => worldSize * (0.1 + 0.8 * draw()));
  // The sum of three is nearly normal.
  const near = (middle: number) =>
    middle + (draw() + draw() + draw() - 1.5) * (2 / 3) * CLUSTER_REACH * worldSize;
  for (let i = 0; i < count; i++) {
    if (pattern === "uniform") {
      x[i] = (((i % columns) + 0.5) / columns) * worldSize;
      y[i] = ((Math.floor(i / columns) + 0.5) / columns) * worldSize;
    } else if (pattern === "linear") {
      x[i] = y[i] = ((i + 0.5) / count) * worldSize;
    } else if (pattern === "clustered") {
      const cluster = Math.floor(draw() * CLUSTERS);
      x[i] = near(middles[2 * cluster]!);
      y[i] = near(middles[2 * cluster + 1]!);
    } else {
      x[i] = draw() * worldSize;
      y[i] = draw() * worldSize;
    }
  }
  return { x, y };
}

export interface CrowdOptions {
  agents: number;
  worldSize: number;
  distribution: "uniform" | "clustered";
  movingShare: number;
  seed: number;
}

/** A prime, so that agents and steps meet all of the drawn moves in turn. */
const DRAWN_MOVES = 8191;

/**
 * Agents that walk about in a square world, up to one unit each way in a step, and turn back at its border. A walk
 * begins anew as often as asked and is always the same, so that all indexes see the same agents.
 */
export class Crowd {
  readonly options: CrowdOptions;
  readonly points: Points;
  /** Who moved in the last step. */
  readonly moved: Uint32Array;
  readonly #start: Points;
  readonly #moves: Float64Array;
  #time = 0;

  constructor(options: CrowdOptions) {
    const { agents, worldSize, distribution, movingShare, seed } = options;
    this.options = options;
    const pattern = distribution === "clustered" ? "clustered" : "random";
    this.#start = drawPlaces(pattern, { count: agents, worldSize, seed, purpose: "agents" });
    this.points = { x: this.#start.x.slice(), y: this.#start.y.slice() };
    this.moved = new Uint32Array(Math.round(agents * movingShare));
    const draw = new RandomStream(seed, "farm/spatial/moves").sequence();
    this.#moves = Float64Array.from({ length: DRAWN_MOVES }, () => 2 * draw() - 1);
  }

  /** Back to where all began. */
  begin(): void {
    this.points.x.set(this.#start.x);
    this.points.y.set(this.#start.y);
    this.#time = 0;
  }

  step(): void {
    const { agents, worldSize } = this.options;
    const { x, y } = this.points;
    const first = this.#time * this.moved.length;
    for (let i = 0; i < this.moved.length; i++) {
      const agent = (first + i) % agents;
      const move = (agent * 31 + this.#time * 977) % DRAWN_MOVES;
      this.moved[i] = agent;
      x[agent] = turnBack(x[agent]! + this.#moves[move]!, worldSize);
      y[agent] = turnBack(y[agent]! + this.#moves[DRAWN_MOVES - 1 - move]!, worldSize);
    }
    this.#time++;
  }
}

function turnBack(at: number, worldSize: number): number {
  const back = at < 0 ? -at : at > worldSize ? 2 * worldSize - at : at;
  return Math.min(Math.max(back, 0), worldSize);
}
