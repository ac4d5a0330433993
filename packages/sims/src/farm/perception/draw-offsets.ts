import { RandomStream } from "assay/plugin";
import type { World } from "../world/world.ts";

/**
 * How far from the middle of its cell each agent stands, in cells, by slot: x, then y. Drawn by the agent's id, so
 * that it stands as it stands whoever else there is.
 */
export function drawOffsets({ seed, count, id }: World): Float32Array {
  const stream = new RandomStream(seed, "farm/perception/offsets");
  const pair = new Float64Array(2);
  const offsets = new Float32Array(2 * count);
  for (let slot = 0; slot < count; slot++) {
    stream.uniformPair(pair, id[slot]!);
    offsets[2 * slot] = pair[0]! - 0.5;
    offsets[2 * slot + 1] = pair[1]! - 0.5;
  }
  return offsets;
}
