import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collect = () => void;

/** A way to collect all garbage now, or null where the engine gives none. */
export function garbageCollector(): Collect | null {
  if (typeof globalThis.gc === "function") return globalThis.gc as Collect;
  try {
    setFlagsFromString("--expose-gc");
    return runInNewContext("gc") as Collect;
  } catch {
    return null;
  }
}

/** Enough agents in all for the heap's own noise to be small beside them. */
const AGENTS_IN_ALL = 50_000;
const MOST_COLLECTIONS = 6;

/**
 * What one thing holds, of `agents` agents: several are made and kept, and the memory before and after is compared,
 * buffers outside of the heap included. Without a collector garbage counts too, so the answer is an upper bound.
 */
export function heldBytes(make: () => unknown, agents: number, collect: Collect | null): number {
  const copies = Math.max(2, Math.ceil(AGENTS_IN_ALL / agents));
  const kept: unknown[] = new Array(copies).fill(null);
  // Once before, so that what the engine keeps for the code itself is there already.
  make();
  const before = usedBytes(collect);
  for (let i = 0; i < copies; i++) kept[i] = make();
  const after = usedBytes(collect);
  // Reading it here keeps the engine from dropping the list before the second look.
  if (kept.includes(null)) throw new Error("nothing was made");
  return Math.max(0, after - before) / copies;
}

/** Collects until no more comes free: buffers go one collection after the objects that held them. */
function usedBytes(collect: Collect | null): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < MOST_COLLECTIONS; i++) {
    collect?.();
    const { heapUsed, external } = process.memoryUsage();
    if (heapUsed + external > least - 1000) break;
    least = heapUsed + external;
  }
  return least;
}
