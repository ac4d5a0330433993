import { RandomStream } from "assay/plugin";
import type { WorldParams } from "./params.ts";

interface Terrain {
  capacity: Uint16Array;
  regrowOrder: Int32Array;
  phaseStart: Int32Array;
}

/**
 * What each cell can hold, and when it regrows. Fertility falls with the squared distance from the nearest patch:
 * plain arithmetic, which gives the same bits on every machine.
 */
export function growTerrain(params: WorldParams, seed: number): Terrain {
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
