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
