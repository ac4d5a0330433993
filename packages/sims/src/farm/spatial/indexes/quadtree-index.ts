import { type Quadtree, type QuadtreeInternalNode, type QuadtreeLeaf, quadtree } from "d3-quadtree";
import { NearestList, type Points, type SpatialIndex, safeRadius } from "../spatial-index.ts";

interface Entry {
  x: number;
  y: number;
  agent: number;
}
type Node = QuadtreeInternalNode<Entry> | QuadtreeLeaf<Entry>;

/** V8's sizes on 64 bits: header, properties, doubles boxed in the object. */
const ENTRY_BYTES = 3 * 8 + 3 * 8 + 2 * 16;
const LEAF_BYTES = 3 * 8 + 2 * 8;
const INNER_BYTES = 4 * 8 + 2 * 8 + 4 * 8;

/**
 * A quadtree that changes in place. Queries are done here over its nodes: the library's own way to visit them makes an
 * object for each, and its search finds one nearest alone. Agents on the same spot share a leaf.
 */
export class QuadtreeIndex implements SpatialIndex {
  readonly #nearest = new NearestList();
  #entries: Entry[] = [];
  #tree: Quadtree<Entry> = plant([]);

  build({ x, y }: Points): void {
    this.#entries = Array.from(x, (left, agent) => ({ x: left, y: y[agent]!, agent }));
    this.#tree = plant(this.#entries);
  }

  update(moved: Uint32Array, points: Points): void {
    for (const agent of moved) {
      const entry = this.#entries[agent]!;
      this.#tree.remove(entry);
      entry.x = points.x[agent]!;
      entry.y = points.y[agent]!;
      this.#tree.add(entry);
    }
  }

  range(x: number, y: number, radius: number, out: Uint32Array): number {
    const limit = radius * radius;
    const wide = safeRadius(x, y, radius);
    let found = 0;
    const visit = (node: Node | undefined, left: number, top: number, side: number): void => {
      if (node === undefined) return;
      if (!isInner(node)) {
        for (let leaf: QuadtreeLeaf<Entry> | undefined = node; leaf; leaf = leaf.next) {
          const dx = leaf.data.x - x;
          const dy = leaf.data.y - y;
          if (dx * dx + dy * dy <= limit) out[found++] = leaf.data.agent;
        }
        return;
      }
      if (left > x + wide || left + side < x - wide || top > y + wide || top + side < y - wide) return;
      const half = side / 2;
      visit(node[0], left, top, half);
      visit(node[1], left + half, top, half);
      visit(node[2], left, top + half, half);
      visit(node[3], left + half, top + half, half);
    };
    this.#visitRoot(visit);
    return found;
  }

  nearest(x: number, y: number, count: number, out: Uint32Array): number {
    const list = this.#nearest.begin(x, y, count, out);
    const visit = (node: Node | undefined, left: number, top: number, side: number): void => {
      if (node === undefined) return;
      if (!isInner(node)) {
        for (let leaf: QuadtreeLeaf<Entry> | undefined = node; leaf; leaf = leaf.next) {
          list.see(leaf.data.agent, leaf.data.x, leaf.data.y);
        }
        return;
      }
      const dx = x < left ? left - x : x > left + side ? x - left - side : 0;
      const dy = y < top ? top - y : y > top + side ? y - top - side : 0;
      if (dx * dx + dy * dy > list.limit) return;
      const half = side / 2;
      // The quarter that the place is in, or is nearest to, first; then its neighbours, then the one across.
      const first = (y >= top + half ? 2 : 0) | (x >= left + half ? 1 : 0);
      for (let turn = 0; turn < 4; turn++) {
        const quarter = first ^ turn;
        visit(node[quarter as 0 | 1 | 2 | 3], left + (quarter & 1) * half, top + (quarter >> 1) * half, half);
      }
    };
    this.#visitRoot(visit);
    return list.size;
  }

  #visitRoot(visit: (node: Node | undefined, left: number, top: number, side: number) => void): void {
    const extent = this.#tree.extent();
    if (extent) visit(this.#tree.root(), extent[0][0], extent[0][1], extent[1][0] - extent[0][0]);
  }

  bytes(): number {
    let bytes = this.#entries.length * (8 + ENTRY_BYTES);
    this.#tree.visit((node) => {
      if (isInner(node)) bytes += INNER_BYTES;
      else for (let leaf: QuadtreeLeaf<Entry> | undefined = node; leaf; leaf = leaf.next) bytes += LEAF_BYTES;
      return false;
    });
    return bytes;
  }
}

function plant(entries: Entry[]): Quadtree<Entry> {
  return quadtree(
    entries,
    ({ x }) => x,
    ({ y }) => y,
  );
}

function isInner(node: Node): node is QuadtreeInternalNode<Entry> {
  return node.length === 4;
}
