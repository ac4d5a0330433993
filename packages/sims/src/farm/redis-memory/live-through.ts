import { step } from "../world/step.ts";
import { createWorld } from "../world/world.ts";
import type { Entry } from "./agent-memory.ts";

/** What each agent lives through in so many steps of a world where nobody dies or is born. */
export function liveThrough(agents: number, steps: number, seed: number): Entry[][] {
  const forever = { metabolism: 0, move_cost: 0, max_age: 1_000_000_000 };
  const world = createWorld({ num_agents: agents, max_agents: agents, ...forever }, seed);
  const lives: Entry[][] = Array.from({ length: agents }, () => []);
  for (let i = 0; i < steps; i++) {
    step(world);
    for (let agent = 0; agent < agents; agent++) {
      lives[agent]!.push({
        step: world.time,
        x: world.x[agent]!,
        y: world.y[agent]!,
        energy: world.energy[agent]!,
        gathered: world.gathered[agent]!,
      });
    }
  }
  return lives;
}
