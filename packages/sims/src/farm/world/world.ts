import { RandomStream } from "assay/plugin";
import * as z from "zod";

/** Every parameter of the world. Energy and resources are whole numbers, so that sums are exact. */
export const worldSchema = z.strictObject({
  num_agents: z.int().min(0).max(1_000_000).default(100).describe("Agents at the start"),
  max_agents: z
    .int()
    .min(1)
    .max(4_000_000)
    .nullable()
    .default(null)
    .describe("Agents at most, nobody is born beyond; null is four times num_agents"),
  width: z.int().min(1).max(10_000).default(100).describe("Cells of the world from left to right"),
  height: z.int().min(1).max(10_000).default(100).describe("Cells from top to bottom"),
  view_radius: z.int().min(0).max(50).default(5).describe("Cells that an agent sees in each direction"),
  wander: z.number().min(0).max(1).default(0.1).describe("Probability of a random move"),
  patches: z.int().min(1).max(10_000).default(24).describe("Fertile places of the world"),
  patch_radius: z.int().min(1).max(1_000).default(12).describe("How far a fertile place reaches, in cells"),
  resource_max: z.int().min(1).max(65_535).default(40).describe("What the most fertile cell can hold"),
  regrow_amount: z.int().min(0).max(65_535).default(4).describe("What a cell gains when it regrows ..."),
  regrow_period: z.int().min(1).max(10_000).default(80).describe("... which it does every so many steps"),
  bite: z.int().min(0).max(65_535).default(12).describe("What an agent gathers in a step at most"),
  initial_energy: z.int().min(1).max(1_000_000).default(60).describe("Energy of the first agents"),
  metabolism: z.int().min(0).max(10_000).default(2).describe("Energy that a step costs"),
  move_cost: z.int().min(0).max(10_000).default(1).describe("Energy that a move costs besides"),
  reproduce_energy: z
    .int()
    .min(2)
    .max(1_000_000)
    .default(110)
    .describe("Energy with which an agent has a child, which gets half of it"),
  max_age: z.int().min(1).max(1_000_000_000).default(400).describe("Steps after which an agent dies"),
});

type WorldParams = z.output<typeof worldSchema>;
export type WorldInput = z.input<typeof worldSchema>;

interface Terrain {
  capacity: Uint16Array;
  regrowOrder: Int32Array;
  phaseStart: Int32Array;
}

/**
 * What each cell can hold, and when it regrows. Fertility falls with the squared distance from the nearest patch:
 * plain arithmetic, which gives the same bits on every machine.
 */
function growTerrain(params: WorldParams, seed: number): Terrain {
  return { capacity: spreadPatches(params, seed), ...orderRegrowth(params, seed) };
}

function spreadPatches(params: WorldParams, seed: number): Uint16Array {
  const { width, height, patches, patch_radius: radius, resource_max } = params;
  const capacity = new Uint16Array(width * height);
  const places = new RandomStream(seed, "farm/patches");
  const pair = new Float64Array(2);
  const reach = (radius + 1) ** 2;
  for (let patch = 0; patch < patches; patch++) {
    places.uniformPair(pair, patch);
    const centreX = Math.floor(pair[0]! * width);
    const centreY = Math.floor(pair[1]! * height);
    for (let y = Math.max(0, centreY - radius); y <= Math.min(height - 1, centreY + radius); y++) {
      for (let x = Math.max(0, centreX - radius); x <= Math.min(width - 1, centreX + radius); x++) {
        const distance = (x - centreX) ** 2 + (y - centreY) ** 2;
        const amount = Math.floor((resource_max * (reach - distance)) / reach);
        if (amount > capacity[y * width + x]!) capacity[y * width + x] = amount;
      }
    }
  }
  return capacity;
}

/** Each cell regrows once in a period, in a phase of its own: a step touches only the cells whose turn it is. */
function orderRegrowth(
  { width, height, regrow_period }: WorldParams,
  seed: number,
): Omit<Terrain, "capacity"> {
  const cells = width * height;
  const phases = new RandomStream(seed, "farm/phases");
  const phase = new Uint16Array(cells);
  const phaseStart = new Int32Array(regrow_period + 1);
  for (let cell = 0; cell < cells; cell++) {
    phase[cell] = Math.floor(phases.uniform(cell) * regrow_period);
    phaseStart[phase[cell]! + 1]!++;
  }
  for (let p = 0; p < regrow_period; p++) phaseStart[p + 1]! += phaseStart[p]!;
  const next = phaseStart.slice();
  const regrowOrder = new Int32Array(cells);
  for (let cell = 0; cell < cells; cell++) regrowOrder[next[phase[cell]!]!++] = cell;
  return { regrowOrder, phaseStart };
}

/** Why an agent died. */
export const STARVED = 1;
export const AGED = 2;

/** What a birth or a death leaves for the log; valid until the next step. */
interface LifeEvents {
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
