import { RandomStream } from "assay/plugin";
import { type WorldInput, type WorldParams, worldSchema } from "./params.ts";
import { growTerrain } from "./terrain.ts";

/** Why an agent died. */
export const STARVED = 1;
export const AGED = 2;

/** What a birth or a death leaves for the log; valid until the next step. */
export interface LifeEvents {
  count: number;
  id: Uint32Array;
  /** The parent of a born agent; the cause (STARVED or AGED) of a death. */
  detail: Uint32Array;
}

/**
 * A 2-D world of resources with agents in it. Cell (x, y) stands at `y * width + x`. The living agents stand in the
 * slots 0 to `count - 1` of each column, in order of their ids; a slot is only valid until the next step.
 */
export interface World {
  readonly params: WorldParams;
  readonly seed: number;
  readonly width: number;
  readonly height: number;
  /** Steps done. */
  time: number;
  /** Living agents. */
  count: number;
  /** The id of the next agent that is born: ids are never used again. */
  nextId: number;
  readonly id: Uint32Array;
  readonly x: Int32Array;
  readonly y: Int32Array;
  readonly energy: Int32Array;
  readonly age: Int32Array;
  /** The last step's action: 3 * (dy + 1) + (dx + 1), so 4 is to stay. A newborn stays. */
  readonly action: Uint8Array;
  /** What was gathered in the last step. */
  readonly gathered: Uint16Array;
  /** What each cell holds now, and can hold at most. */
  readonly resources: Uint16Array;
  readonly capacity: Uint16Array;
  /** Agents in each cell. */
  readonly occupants: Uint32Array;
  /** Scratch: what each cell offers to one more agent, what the way costs to each cell in sight, slots by row. */
  readonly offers: Uint16Array;
  readonly wayCosts: Int32Array;
  readonly rowStart: Int32Array;
  readonly rowOrder: Int32Array;
  readonly births: LifeEvents;
  readonly deaths: LifeEvents;
  /** Cells in the order in which they regrow; those of phase p stand from `phaseStart[p]` to `phaseStart[p + 1]`. */
  readonly regrowOrder: Int32Array;
  readonly phaseStart: Int32Array;
  /** Sum over all cells, and over all agents. */
  totalResources: number;
  totalEnergy: number;
  readonly moves: RandomStream;
}

export const STAY = 4;

/** A new world: the same parameters and seed give the same world, cell by cell and agent by agent. */
export function createWorld(input: WorldInput, seed: number): World {
  const params = worldSchema.parse(input);
  const { width, height, num_agents } = params;
  const slots = Math.max(1, num_agents, params.max_agents ?? 4 * num_agents);
  const terrain = growTerrain(params, seed);
  // A full world would feed several times the agents that it can feed for long.
  const resources = terrain.capacity.map((amount) => amount >> 2);
  const world: World = {
    params,
    seed,
    width,
    height,
    time: 0,
    count: num_agents,
    nextId: num_agents,
    id: new Uint32Array(slots),
    x: new Int32Array(slots),
    y: new Int32Array(slots),
    energy: new Int32Array(slots),
    age: new Int32Array(slots),
    action: new Uint8Array(slots).fill(STAY),
    gathered: new Uint16Array(slots),
    ...terrain,
    resources,
    occupants: new Uint32Array(width * height),
    offers: new Uint16Array(width * height),
    wayCosts: costWays(params),
    rowStart: new Int32Array(height + 1),
    rowOrder: new Int32Array(slots),
    births: noEvents(slots),
    deaths: noEvents(slots),
    totalResources: resources.reduce((sum, amount) => sum + amount, 0),
    totalEnergy: num_agents * params.initial_energy,
    moves: new RandomStream(seed, "farm/moves"),
  };
  settle(world);
  return world;
}

/** The first agents: places and ages are drawn by id, so that more agents do not move the ones before. */
function settle({ params, seed, width, height, ...world }: World): void {
  const places = new RandomStream(seed, "farm/places");
  const ages = new RandomStream(seed, "farm/ages");
  const pair = new Float64Array(2);
  for (let i = 0; i < params.num_agents; i++) {
    places.uniformPair(pair, i);
    world.id[i] = i;
    world.x[i] = Math.floor(pair[0]! * width);
    world.y[i] = Math.floor(pair[1]! * height);
    world.energy[i] = params.initial_energy;
    // Mixed ages, so that the first generation does not die in one step.
    world.age[i] = Math.floor(ages.uniform(i) * params.max_age);
    world.occupants[world.y[i]! * width + world.x[i]!]!++;
  }
}

/** A move reaches any of the eight cells around, so a way is as long as the longer of its two sides. */
function costWays({ view_radius: radius, move_cost }: WorldParams): Int32Array {
  const size = 2 * radius + 1;
  return Int32Array.from({ length: size * size }, (_, i) => {
    const [dx, dy] = [(i % size) - radius, Math.floor(i / size) - radius];
    return move_cost * Math.max(Math.abs(dx), Math.abs(dy));
  });
}

function noEvents(slots: number): LifeEvents {
  return { count: 0, id: new Uint32Array(slots), detail: new Uint32Array(slots) };
}
