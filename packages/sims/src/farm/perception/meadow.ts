import { step } from "../world/step.ts";
import { createWorld, type World } from "../world/world.ts";

interface MeadowOptions {
  num_agents: number;
  width: number;
  height: number;
}

/**
 * A world in which nobody dies and nobody is born: agents move and gather, and their number stays, so that every step
 * of every iteration has the same number of views. It goes back to its first step as often as asked.
 */
export class Meadow {
  readonly world: World;
  readonly #start: Map<string, unknown>;

  constructor({ num_agents, width, height }: MeadowOptions, seed: number) {
    const forever = { initial_energy: 1_000_000, max_age: 1_000_000_000, max_agents: num_agents };
    this.world = createWorld({ num_agents, width, height, view_radius: 3, ...forever }, seed);
    this.#start = new Map(
      Object.entries(this.world).map(([key, value]) => [
        key,
        ArrayBuffer.isView(value) ? copyOf(value) : value,
      ]),
    );
  }

  begin(): void {
    const world = this.world as unknown as Record<string, unknown>;
    for (const [key, value] of this.#start) {
      if (ArrayBuffer.isView(value)) (world[key] as Uint8Array).set(value as Uint8Array);
      else if (typeof value === "number") world[key] = value;
    }
  }

  step(): void {
    step(this.world);
  }
}

function copyOf(value: ArrayBufferView): unknown {
  return (value as Uint8Array).slice();
}

/** What a trace in a cell keeps of itself from one step to the next. */
const TRAIL_KEPT = 0.9;

/** What there is to see in the world, as numbers of one kind, one value per cell. */
export class Fields {
  /** As a share of what the most fertile cell can hold. */
  readonly resources: Float32Array;
  readonly agents: Float32Array;
  /** Where agents were of late: each leaves 1, which fades. */
  readonly trail: Float32Array;
  readonly #world: World;

  constructor(world: World) {
    const cells = world.width * world.height;
    this.#world = world;
    this.resources = new Float32Array(cells);
    this.agents = new Float32Array(cells);
    this.trail = new Float32Array(cells);
  }

  /** Reads resources and agents from the world as it is now. */
  gather(): void {
    const { resources, occupants, params } = this.#world;
    const scale = 1 / params.resource_max;
    for (let cell = 0; cell < resources.length; cell++) {
      this.resources[cell] = resources[cell]! * scale;
      this.agents[cell] = occupants[cell]!;
    }
  }

  /** Lets the trail fade, and adds where agents are now. */
  decay(): void {
    const { count, width, x, y } = this.#world;
    const trail = this.trail;
    for (let cell = 0; cell < trail.length; cell++) trail[cell]! *= TRAIL_KEPT;
    for (let slot = 0; slot < count; slot++) trail[y[slot]! * width + x[slot]!]! += 1;
  }

  /** As if nobody had been anywhere. */
  forget(): void {
    this.trail.fill(0);
  }
}
