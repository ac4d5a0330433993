import KDBush from "kdbush";
import { NearestList, type Points, type SpatialIndex, safeRadius } from "../spatial-index.ts";

/**
 * A k-d tree in two flat arrays. It can't change, so an update builds it anew. The library has no search for the
 * nearest; it is done here over its arrays: the middle of each stretch splits it, by x and by y in turn.
 */
export class KdbushIndex implements SpatialIndex {
  readonly #nearest = new NearestList();
  #x = new Float64Array(0);
  #y = new Float64Array(0);
  #tree = new KDBush(0).finish();

  build({ x, y }: Points): void {
    this.#x = x.slice();
    this.#y = y.slice();
    const tree = new KDBush(x.length);
    for (let agent = 0; agent < x.length; agent++) tree.add(x[agent]!, y[agent]!);
    this.#tree = tree.finish();
  }

  update(moved: Uint32Array, points: Points): void {
    if (moved.length > 0) this.build(points);
  }

  range(x: number, y: number, radius: number, out: Uint32Array): number {
    const limit = radius * radius;
    const candidates = this.#tree.withinInto(x, y, safeRadius(x, y, radius), out);
    let found = 0;
    for (let at = 0; at < candidates; at++) {
      const agent = out[at]!;
      const dx = this.#x[agent]! - x;
      const dy = this.#y[agent]! - y;
      if (dx * dx + dy * dy <= limit) out[found++] = agent;
    }
    return found;
  }

  nearest(x: number, y: number, count: number, out: Uint32Array): number {
    const { ids, coords, nodeSize } = this.#tree;
    const list = this.#nearest.begin(x, y, count, out);
    const visit = (left: number, right: number, axis: 0 | 1): void => {
      if (right - left <= nodeSize) {
        for (let at = left; at <= right; at++) look(at);
        return;
      }
      const middle = (left + right) >> 1;
      const gap = (axis === 0 ? x : y) - coords[2 * middle + axis]!;
      const next = axis === 0 ? 1 : 0;
      if (gap <= 0) visit(left, middle - 1, next);
      else visit(middle + 1, right, next);
      look(middle);
      if (gap * gap > list.limit) return;
      if (gap <= 0) visit(middle + 1, right, next);
      else visit(left, middle - 1, next);
    };
    const look = (at: number): void => list.see(ids[at]!, coords[2 * at]!, coords[2 * at + 1]!);
    visit(0, ids.length - 1, 0);
    return list.size;
  }

  bytes(): number {
    return this.#x.byteLength + this.#y.byteLength + this.#tree.data.byteLength;
  }
}
