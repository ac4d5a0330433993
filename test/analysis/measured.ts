import type { Measurement, Measurements } from "../../src/analysis/measurements.ts";
import { RandomStream } from "../../src/core/random.ts";
import { normalQuantile } from "../../src/stats/index.ts";

/** Measurements of arms that are given as lists of values, paired by their place. */
export function measuredArms(
  arms: Record<string, readonly number[]>,
  part: Partial<Measurements> = {},
): Measurements {
  return {
    ...{ study: "example", metric: "score", what: "score", summary: null, unit: null, goal: "maximize" },
    ...{ by: ["arm"], arms: Object.keys(arms), baseline: null, missing: [], window: null, cautions: [] },
    runs: Object.entries(arms).flatMap(([arm, values]) =>
      values.map((value, i) => aMeasurement(arm, i, value)),
    ),
    ...part,
  };
}

export function aMeasurement(arm: string, i: number, value: number): Measurement {
  const id = `${arm}-${i}`;
  return { id, arm, unit: `seed ${i}`, block: "", task: null, value, wallMs: 60_000, costUsd: 0.5 };
}

/** Normal values, the same for the same purpose. */
export function normals(count: number, { mean = 0, sd = 1, purpose = "test", seed = 1 } = {}): number[] {
  const stream = new RandomStream(seed, purpose);
  return Array.from({ length: count }, (_, i) => mean + sd * normalQuantile(stream.uniform(i)));
}
