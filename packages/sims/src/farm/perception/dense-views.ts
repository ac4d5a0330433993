import type { World } from "../world/world.ts";
import type { Fields } from "./meadow.ts";
import {
  CHANNELS,
  type Channel,
  drawOffsets,
  makeSight,
  type Sight,
  type Span,
  spanOf,
  type ViewOptions,
  type Views,
} from "./view.ts";

/** Whose view is filled, and where to: `sight.size` squared numbers of `out` from `to` on, which are 0 before. */
interface Plane {
  world: World;
  sight: Sight;
  slot: number;
  out: Float32Array;
  to: number;
}

const span: Span = { column: 0, length: 0, cell: 0 };

/** A field as it is in the cells that are seen. */
function copyField(field: Float32Array, plane: Plane): void {
  const { sight, out, to } = plane;
  const { size } = sight;
  for (let row = 0; row < size; row++) {
    spanOf(plane, row, span);
    // Read once: the engine can't know that what is written is not the span.
    const { length, cell } = span;
    const at = to + row * size + span.column;
    for (let i = 0; i < length; i++) out[at + i] = field[cell + i]!;
  }
}

/**
 * A field where the agent really stands, so many cells off the middle of its cell: each value is a mean of the four
 * cells around the place, by how near they are. There is nothing outside of the world.
 */
function blendField(field: Float32Array, plane: Plane, offset: { x: number; y: number }): void {
  const { sight, out, to } = plane;
  const { width, height } = plane.world;
  const stepX = offset.x < 0 ? -1 : 1;
  const stepY = offset.y < 0 ? -1 : 1;
  const shareX = Math.abs(offset.x);
  const shareY = Math.abs(offset.y);
  for (let row = 0; row < sight.size; row++) {
    spanOf(plane, row, span);
    const { length, cell: first } = span;
    const cellY = Math.floor(first / width);
    const isInY = cellY + stepY >= 0 && cellY + stepY < height;
    const at = to + row * sight.size + span.column;
    for (let i = 0; i < length; i++) {
      const cell = first + i;
      const cellX = cell - cellY * width + stepX;
      const isInX = cellX >= 0 && cellX < width;
      const beside = isInX ? field[cell + stepX]! : 0;
      const above = isInY ? field[cell + stepY * width]! : 0;
      const across = isInX && isInY ? field[cell + stepY * width + stepX]! : 0;
      const near = field[cell]! + shareX * (beside - field[cell]!);
      out[at + i] = near + shareY * (above + shareX * (across - above) - near);
    }
  }
}

/** Agents in the cells that are seen. An agent does not count itself. */
function fillAgents(field: Float32Array, plane: Plane): void {
  const { radius, size, reach } = plane.sight;
  copyField(field, plane);
  if (reach[radius]! >= 0) plane.out[plane.to + radius * size + radius]! -= 1;
}

/** 1 in the cells that are seen. */
function fillVisibility(plane: Plane): void {
  const { sight, out, to } = plane;
  for (let row = 0; row < sight.size; row++) {
    spanOf(plane, row, span);
    const at = to + row * sight.size + span.column;
    if (span.length > 0) out.fill(1, at, at + span.length);
  }
}

/** 1 beyond the world's end. */
function fillEdge({ world, sight, slot, out, to }: Plane): void {
  const { size, radius } = sight;
  const left = world.x[slot]! - radius;
  const top = world.y[slot]! - radius;
  for (let row = 0; row < size; row++) {
    const at = to + row * size;
    const isOutside = top + row < 0 || top + row >= world.height;
    const inside = isOutside ? size : Math.max(0, -left);
    if (inside > 0) out.fill(1, at, at + inside);
    if (!isOutside && left + size > world.width) out.fill(1, at + world.width - left, at + size);
  }
}

/**
 * All views as one tensor [agents, channels, rows, columns]: resources, other agents and the trail of the cells that
 * are seen (0 elsewhere), 1 where the world has ended (edge), 1 where a cell is seen (visibility).
 */
export class DenseViews implements Views {
  readonly tensor: Float32Array;
  readonly #sight: Sight;
  readonly #world: World;
  readonly #fields: Fields;
  readonly #offsets: Float32Array | null;

  constructor(world: World, fields: Fields, { radius, fovRadius, bilinear }: ViewOptions) {
    this.#world = world;
    this.#fields = fields;
    this.#sight = makeSight(radius, fovRadius);
    this.#offsets = bilinear ? drawOffsets(world) : null;
    this.tensor = new Float32Array(world.count * CHANNELS.length * this.#sight.size ** 2);
  }

  fill(): void {
    this.clear();
    for (const channel of CHANNELS) this.fillChannel(channel);
  }

  clear(): void {
    this.tensor.fill(0);
  }

  /** One channel of all views; `clear` goes before the first. */
  fillChannel(channel: Channel): void {
    const area = this.#sight.size ** 2;
    const first = CHANNELS.indexOf(channel) * area;
    const plane: Plane = { world: this.#world, sight: this.#sight, slot: 0, out: this.tensor, to: 0 };
    for (let slot = 0; slot < this.#world.count; slot++) {
      plane.slot = slot;
      plane.to = slot * CHANNELS.length * area + first;
      fillPlane(channel, plane, this.#fields, this.#offsets);
    }
  }

  viewOf(slot: number): Float32Array {
    const length = CHANNELS.length * this.#sight.size ** 2;
    return this.tensor.subarray(slot * length, (slot + 1) * length);
  }

  bytes(): number {
    return this.tensor.byteLength;
  }
}

/** One channel of one view. With offsets, fields are read between cells. */
export function fillPlane(
  channel: Channel,
  plane: Plane,
  fields: Fields,
  offsets: Float32Array | null,
): void {
  if (channel === "edge") fillEdge(plane);
  else if (channel === "visibility") fillVisibility(plane);
  else if (channel === "agents") fillAgents(fields.agents, plane);
  else if (offsets === null) copyField(fields[channel], plane);
  else {
    const offset = { x: offsets[2 * plane.slot]!, y: offsets[2 * plane.slot + 1]! };
    blendField(fields[channel], plane, offset);
  }
}
