import RBush, { type BBox } from "rbush";
import {
  NearestList,
  type Points,
  type SpatialIndex,
  safeRadius,
  squaredDistanceToBox,
} from "../spatial-index.ts";

interface Entry extends BBox {
  agent: number;
}

/** A node as the library's `toJSON` shows it. */
interface Node extends BBox {
  leaf: boolean;
  children: (Node | Entry)[];
}

/** From this share of moved agents on, loading all at once is faster than taking them out and in one by one. */
const RELOAD_FROM_SHARE = 0.3;

/** V8's sizes on 64 bits with compressed pointers off: header, properties, four doubles boxed in the object. */
const ENTRY_BYTES = 3 * 8 + 5 * 8 + 4 * 16;
const NODE_BYTES = 3 * 8 + 7 * 8 + 4 * 16 + 4 * 8;

/** An R-tree that changes in place. The library has no search for the nearest; it is done here over its nodes. */
export class RbushIndex implements SpatialIndex {
  readonly #nearest = new NearestList();
  readonly #tree = new RBush<Entry>();
  #entries: Entry[] = [];

  build({ x, y }: Points): void {
    this.#entries = Array.from(x, (left, agent) => {
      const top = y[agent]!;
      return { minX: left, minY: top, maxX: left, maxY: top, agent };
    });
    this.#tree.clear().load(this.#entries);
  }

  update(moved: Uint32Array, points: Points): void {
    const isReload = moved.length >= RELOAD_FROM_SHARE * this.#entries.length;
    for (const agent of moved) {
      const entry = this.#entries[agent]!;
      if (!isReload) this.#tree.remove(entry);
      entry.minX = entry.maxX = points.x[agent]!;
      entry.minY = entry.maxY = points.y[agent]!;
      if (!isReload) this.#tree.insert(entry);
    }
    if (isReload) this.#tree.clear().load(this.#entries);
  }

  range(x: number, y: number, radius: number, out: Uint32Array): number {
    const limit = radius * radius;
    const wide = safeRadius(x, y, radius);
    let found = 0;
    for (const entry of this.#tree.search({
      minX: x - wide,
      minY: y - wide,
      maxX: x + wide,
      maxY: y + wide,
    })) {
      const dx = entry.minX - x;
      const dy = entry.minY - y;
      if (dx * dx + dy * dy <= limit) out[found++] = entry.agent;
    }
    return found;
  }

  nearest(x: number, y: number, count: number, out: Uint32Array): number {
    const list = this.#nearest.begin(x, y, count, out);
    const visit = (node: Node): void => {
      if (node.leaf) {
        for (const child of node.children as Entry[]) list.see(child.agent, child.minX, child.minY);
        return;
      }
      const children = (node.children as Node[])
        .map((child) => ({ child, distance: squaredDistanceToBox(x, y, child) }))
        .sort((a, b) => a.distance - b.distance);
      for (const { child, distance } of children) if (distance <= list.limit) visit(child);
    };
    visit(this.#tree.toJSON() as Node);
    return list.size;
  }

  bytes(): number {
    let bytes = 0;
    const visit = (node: Node): void => {
      bytes += NODE_BYTES + node.children.length * 8;
      if (node.leaf) bytes += node.children.length * ENTRY_BYTES;
      else for (const child of node.children as Node[]) visit(child);
    };
    visit(this.#tree.toJSON() as Node);
    return bytes + this.#entries.length * 8;
  }
}
