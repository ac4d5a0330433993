import { RandomStream } from "assay/plugin";
import type { World } from "../world/world.ts";

/** What a view consists of, in this order. */
export const CHANNELS = ["resources", "agents", "trail", "edge", "visibility"] as const;
export type Channel = (typeof CHANNELS)[number];

export interface ViewOptions {
  radius: number;
  fovRadius: number;
  /** Fields are read where an agent really stands, between cells; else cell by cell. */
  bilinear: boolean;
}

/** What all agents of a world see. */
export interface Views {
  /** Looks anew, at the fields as they are now. */
  fill(): void;
  /** All channels of one agent's view, [channels, rows, columns]. */
  viewOf(slot: number): Float32Array;
  /** What is held for all views. */
  bytes(): number;
}

export const STORAGE_MODES = ["hybrid", "dense"] as const;
export type StorageMode = (typeof STORAGE_MODES)[number];

/** A window of `size` by `size` cells with the agent in the middle, of which it sees a disc. */
export interface Sight {
  radius: number;
  size: number;
  /** For each row of the window: how many cells to either side of the middle are seen; -1 where none is. */
  reach: Int32Array;
}

/** A cell is seen when its middle is no farther than `fovRadius` from that of the agent's cell. */
export function makeSight(radius: number, fovRadius: number): Sight {
  const size = 2 * radius + 1;
  const reach = Int32Array.from({ length: size }, (_, row) => {
    const rest = fovRadius * fovRadius - (row - radius) ** 2;
    return rest < 0 ? -1 : Math.min(radius, Math.floor(Math.sqrt(rest)));
  });
  return { radius, size, reach };
}

/** The part of a window's row that is seen and in the world. */
export interface Span {
  /** First column of the window and number of columns, which is 0 where nothing of the row is seen. */
  column: number;
  length: number;
  /** The cell of the world that the first column shows. */
  cell: number;
}

/** Written to `span`, so that nothing is allocated for each of the many rows. */
export function spanOf(
  { world, sight, slot }: { world: World; sight: Sight; slot: number },
  row: number,
  span: Span,
): void {
  const x = world.x[slot]!;
  const y = world.y[slot]! + row - sight.radius;
  const side = y < 0 || y >= world.height ? -1 : sight.reach[row]!;
  const from = Math.max(-side, -x);
  const to = Math.min(side, world.width - 1 - x);
  span.length = side < 0 ? 0 : to - from + 1;
  span.column = sight.radius + from;
  span.cell = y * world.width + x + from;
}

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
