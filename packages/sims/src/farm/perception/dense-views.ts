import type { World } from "../world/world.ts";
import { drawOffsets } from "./draw-offsets.ts";
import type { Fields } from "./fields.ts";
import { blendField, copyField, fillAgents, fillEdge, fillVisibility, type Plane } from "./fill-plane.ts";
import { makeSight, type Sight } from "./sight.ts";
import { CHANNELS, type Channel, type ViewOptions, type Views } from "./view.ts";

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
