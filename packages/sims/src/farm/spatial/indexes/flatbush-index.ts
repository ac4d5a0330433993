import Flatbush from "flatbush";
import { NearestList, type Points, type SpatialIndex, safeRadius } from "../spatial-index.ts";

/** A packed Hilbert R-tree. It can't change, so an update builds it anew. */
export class FlatbushIndex implements SpatialIndex {
  readonly #nearest = new NearestList();
  #x = new Float64Array(0);
  #y = new Float64Array(0);
  #tree: Flatbush | null = null;

  build({ x, y }: Points): void {
    this.#x = x.slice();
    this.#y = y.slice();
    this.#tree = x.length === 0 ? null : new Flatbush(x.length);
    for (let agent = 0; agent < x.length; agent++) this.#tree!.add(x[agent]!, y[agent]!);
    this.#tree?.finish();
  }

  update(moved: Uint32Array, points: Points): void {
    if (moved.length > 0) this.build(points);
  }

  range(x: number, y: number, radius: number, out: Uint32Array): number {
    if (this.#tree === null) return 0;
    const limit = radius * radius;
    const wide = safeRadius(x, y, radius);
    let found = 0;
    // Nothing passes the filter, so the tree never makes a list of its own.
    this.#tree.search(x - wide, y - wide, x + wide, y + wide, (agent, px, py) => {
      const dx = px - x;
      const dy = py - y;
      if (dx * dx + dy * dy <= limit) out[found++] = agent;
      return false;
    });
    return found;
  }

  /** The tree breaks ties as it likes: it is asked for more until the last one is farther than the last that counts. */
  nearest(x: number, y: number, count: number, out: Uint32Array): number {
    const total = this.#x.length;
    if (this.#tree === null || count === 0) return 0;
    for (let asked = count + 1; ; asked *= 2) {
      const found = this.#tree.neighbors(x, y, asked);
      const isAll = found.length === total;
      if (
        isAll ||
        this.#squaredDistance(x, y, found.at(-1)!) > this.#squaredDistance(x, y, found[count - 1]!)
      ) {
        const list = this.#nearest.begin(x, y, count, out);
        for (const agent of found) list.see(agent, this.#x[agent]!, this.#y[agent]!);
        return list.size;
      }
    }
  }

  #squaredDistance(x: number, y: number, agent: number): number {
    const dx = this.#x[agent]! - x;
    const dy = this.#y[agent]! - y;
    return dx * dx + dy * dy;
  }

  bytes(): number {
    return this.#x.byteLength + this.#y.byteLength + (this.#tree?.data.byteLength ?? 0);
  }
}
