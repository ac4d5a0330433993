import { RandomStream } from "assay/plugin";
import type { Points } from "./spatial-index.ts";

export const PATTERNS = ["uniform", "clustered", "linear", "random"] as const;
export type Pattern = (typeof PATTERNS)[number];

interface Drawing {
  count: number;
  worldSize: number;
  seed: number;
  /** What the places are for: drawings for different purposes are independent. */
  purpose: string;
}

const CLUSTERS = 8;
/** Of the world's side: how far from its middle a cluster reaches. */
const CLUSTER_REACH = 0.06;

/**
 * Places in a square world: evenly spaced (uniform), in heaps (clustered), along the diagonal (linear), or each
 * anywhere (random). Arithmetic alone, no logarithms and sines, so every machine draws the same bits.
 */
export function drawPlaces(pattern: Pattern, { count, worldSize, seed, purpose }: Drawing): Points {
  const draw = new RandomStream(seed, `farm/spatial/${purpose}/${pattern}`).sequence();
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  const columns = Math.ceil(Math.sqrt(count));
  const middles = Array.from({ length: 2 * CLUSTERS }, () => worldSize * (0.1 + 0.8 * draw()));
  // The sum of three is nearly normal.
  const near = (middle: number) =>
    middle + (draw() + draw() + draw() - 1.5) * (2 / 3) * CLUSTER_REACH * worldSize;
  for (let i = 0; i < count; i++) {
    if (pattern === "uniform") {
      x[i] = (((i % columns) + 0.5) / columns) * worldSize;
      y[i] = ((Math.floor(i / columns) + 0.5) / columns) * worldSize;
    } else if (pattern === "linear") {
      x[i] = y[i] = ((i + 0.5) / count) * worldSize;
    } else if (pattern === "clustered") {
      const cluster = Math.floor(draw() * CLUSTERS);
      x[i] = near(middles[2 * cluster]!);
      y[i] = near(middles[2 * cluster + 1]!);
    } else {
      x[i] = draw() * worldSize;
      y[i] = draw() * worldSize;
    }
  }
  return { x, y };
}
