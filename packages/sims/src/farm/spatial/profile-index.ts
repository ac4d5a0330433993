import type { Crowd } from "./crowd.ts";
import type { SpatialIndex } from "./spatial-index.ts";

interface Profile {
  medianUs: number;
  p99Us: number;
}

interface Options {
  steps: number;
  queries: number;
  neighbors: number;
  query_types: ("range" | "nearest" | "intersection")[];
  query_radius: number;
}

/** Times every operation by itself over a walk: slower than timing many at once, but it shows the slow ones. */
export function profileIndex(index: SpatialIndex, crowd: Crowd, options: Options): Record<string, Profile> {
  const { steps, queries, neighbors, query_radius: radius } = options;
  const { agents } = crowd.options;
  const { x, y } = crowd.points;
  const out = new Uint32Array(Math.max(agents, neighbors));
  const ask = {
    range: (at: number) => index.range(x[at]!, y[at]!, radius, out),
    nearest: (at: number) => index.nearest(x[at]!, y[at]!, neighbors, out),
    intersection: (at: number) => index.range(x[at]!, y[at]!, 2 * radius, out),
  };
  const types = [...new Set(options.query_types)];
  const times: Record<string, Float64Array> = {
    build: new Float64Array(steps),
    update: new Float64Array(steps),
  };
  for (const type of types) times[type] = new Float64Array(steps * queries);
  crowd.begin();
  for (let step = 0; step < steps; step++) times.build![step] = elapsedUs(() => index.build(crowd.points));
  for (let step = 0; step < steps; step++) {
    crowd.step();
    times.update![step] = elapsedUs(() => index.update(crowd.moved, crowd.points));
    for (const type of types) {
      for (let q = step * queries; q < (step + 1) * queries; q++) {
        times[type]![q] = elapsedUs(() => ask[type](q % agents));
      }
    }
  }
  return Object.fromEntries(
    Object.entries(times).map(([operation, us]) => {
      us.sort();
      return [operation, { medianUs: quantile(us, 0.5), p99Us: quantile(us, 0.99) }];
    }),
  );
}

function elapsedUs(operation: () => unknown): number {
  const start = performance.now();
  operation();
  return (performance.now() - start) * 1000;
}

/** The smallest value that at least this share is not above. */
function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.ceil(share * sorted.length) - 1]!;
}
