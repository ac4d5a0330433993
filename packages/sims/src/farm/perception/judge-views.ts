import type { World } from "../world/world.ts";
import { CHANNELS, type Channel, type Views } from "./view.ts";

/** What the views are worth: the same for the same seed, whatever the machine. */
export interface ViewQuality {
  /** Share of the world's cells that somebody sees. */
  coverage: number;
  /** Of how much resource there is in the cells that are seen, in bits: 0 where all look alike. */
  entropyBits: number;
  /** Other agents that an agent sees, on average. */
  agentsInSight: number;
}

const LEVELS = 16;

export function judgeViews(views: Views, world: World, radius: number): ViewQuality {
  const size = 2 * radius + 1;
  const area = size * size;
  const isSeen = new Uint8Array(world.width * world.height);
  const levels = new Float64Array(LEVELS);
  let [inSight, cells] = [0, 0];
  for (let slot = 0; slot < world.count; slot++) {
    const view = views.viewOf(slot);
    const at = (channel: Channel, i: number) => view[CHANNELS.indexOf(channel) * area + i]!;
    for (let i = 0; i < area; i++) {
      inSight += at("agents", i);
      if (at("visibility", i) === 0) continue;
      const x = world.x[slot]! + (i % size) - radius;
      const y = world.y[slot]! + Math.floor(i / size) - radius;
      isSeen[y * world.width + x] = 1;
      levels[Math.min(LEVELS - 1, Math.floor(at("resources", i) * LEVELS))]! += 1;
      cells++;
    }
  }
  return {
    coverage: isSeen.reduce((sum, seen) => sum + seen, 0) / isSeen.length,
    entropyBits: entropyBits(levels, cells),
    agentsInSight: inSight / world.count,
  };
}

function entropyBits(counts: Float64Array, total: number): number {
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / total) * Math.log2(count / total);
  return bits;
}

/** How far two ways of reading resources are apart: the mean difference over the mean value; null where all is 0. */
export function resourceDifference(one: Views, other: Views, world: World): number | null {
  let [difference, sum] = [0, 0];
  for (let slot = 0; slot < world.count; slot++) {
    const [a, b] = [one.viewOf(slot), other.viewOf(slot)];
    const area = a.length / CHANNELS.length;
    for (let i = 0; i < area; i++) {
      difference += Math.abs(a[i]! - b[i]!);
      sum += (a[i]! + b[i]!) / 2;
    }
  }
  return sum === 0 ? null : difference / sum;
}
