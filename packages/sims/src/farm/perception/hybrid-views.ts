import type { World } from "../world/world.ts";
import { DenseViews, fillPlane } from "./dense-views.ts";
import type { Fields } from "./meadow.ts";
import {
  CHANNELS,
  type Channel,
  drawOffsets,
  makeSight,
  type Sight,
  type Span,
  type StorageMode,
  spanOf,
  type ViewOptions,
  type Views,
} from "./view.ts";

/** The channels that are kept cell by cell. */
const KEPT: Channel[] = ["resources", "trail"];

/**
 * All views with less memory: resources and the trail cell by cell, the agents in sight as a list, since most cells
 * have none. Edge and visibility follow from where an agent is; they are made when a view is asked for.
 */
class HybridViews implements Views {
  readonly #world: World;
  readonly #fields: Fields;
  readonly #sight: Sight;
  readonly #offsets: Float32Array | null;
  readonly #planes: Float32Array;
  /** Where each agent's list begins; the last entry is where they all end. */
  readonly #begins: Uint32Array;
  /** Cells of windows that have other agents in them, and how many. */
  #cells = new Uint16Array(256);
  #counts = new Uint16Array(256);
  readonly #span: Span = { column: 0, length: 0, cell: 0 };

  constructor(world: World, fields: Fields, { radius, fovRadius, bilinear }: ViewOptions) {
    this.#world = world;
    this.#fields = fields;
    this.#sight = makeSight(radius, fovRadius);
    this.#offsets = bilinear ? drawOffsets(world) : null;
    this.#planes = new Float32Array(world.count * KEPT.length * this.#sight.size ** 2);
    this.#begins = new Uint32Array(world.count + 1);
  }

  fill(): void {
    const area = this.#sight.size ** 2;
    const plane = { world: this.#world, sight: this.#sight, slot: 0, out: this.#planes, to: 0 };
    this.#planes.fill(0);
    for (let slot = 0; slot < this.#world.count; slot++) {
      plane.slot = slot;
      for (let kept = 0; kept < KEPT.length; kept++) {
        plane.to = (slot * KEPT.length + kept) * area;
        fillPlane(KEPT[kept]!, plane, this.#fields, this.#offsets);
      }
      this.#listAgents(slot);
    }
  }

  #listAgents(slot: number): void {
    const { size, radius } = this.#sight;
    const middle = radius * size + radius;
    const agents = this.#fields.agents;
    let end = this.#begins[slot]!;
    const place = { world: this.#world, sight: this.#sight, slot };
    for (let row = 0; row < size; row++) {
      spanOf(place, row, this.#span);
      const { column, length, cell } = this.#span;
      for (let i = 0; i < length; i++) {
        const here = agents[cell + i]!;
        if (here === 0) continue;
        const at = row * size + column + i;
        const others = at === middle ? here - 1 : here;
        if (others === 0) continue;
        if (end === this.#cells.length) this.#grow();
        this.#cells[end] = at;
        this.#counts[end++] = others;
      }
    }
    this.#begins[slot + 1] = end;
  }

  #grow(): void {
    const [cells, counts] = [this.#cells, this.#counts];
    this.#cells = new Uint16Array(2 * cells.length);
    this.#counts = new Uint16Array(2 * counts.length);
    this.#cells.set(cells);
    this.#counts.set(counts);
  }

  viewOf(slot: number): Float32Array {
    const area = this.#sight.size ** 2;
    const out = new Float32Array(CHANNELS.length * area);
    CHANNELS.forEach((channel, number) => {
      const to = number * area;
      const kept = KEPT.indexOf(channel);
      if (kept >= 0) {
        const from = (slot * KEPT.length + kept) * area;
        out.set(this.#planes.subarray(from, from + area), to);
      } else if (channel === "agents") {
        for (let i = this.#begins[slot]!; i < this.#begins[slot + 1]!; i++) {
          out[to + this.#cells[i]!] = this.#counts[i]!;
        }
      } else {
        fillPlane(channel, { world: this.#world, sight: this.#sight, slot, out, to }, this.#fields, null);
      }
    });
    return out;
  }

  /** The list as far as it is filled. */
  bytes(): number {
    const listed = this.#begins.at(-1)! * 4;
    return this.#planes.byteLength + this.#begins.byteLength + listed;
  }
}

export function makeViews(mode: StorageMode, world: World, fields: Fields, options: ViewOptions): Views {
  return mode === "dense" ? new DenseViews(world, fields, options) : new HybridViews(world, fields, options);
}
