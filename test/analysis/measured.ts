import type { Measurement, Measurements } from "../../src/analysis/measurements.ts";
import { RandomStream } from "../../src/core/random.ts";
import type { ArmSet } from "../../src/design/arm-set.ts";
import { normalQuantile } from "../../src/stats/index.ts";

/** Measurements of arms that are given as lists of values, paired by their place. */
export function measuredArms(
  arms: Record<string, readonly number[]>,
  part: Partial<Measurements> = {},
): Measurements {
  const runs = Object.entries(arms).flatMap(([arm, values]) =>
    values.map((value, i) => aMeasurement(arm, i, value)),
  );
  return measuredRuns(runs, { arms: Object.keys(arms), ...part });
}

/** Measurements of runs, paired by their units. */
export function measuredRuns(
  runs: readonly Measurement[],
  part: Partial<Measurements> & Pick<Measurements, "arms">,
): Measurements {
  const set: ArmSet = {
    ...{ metric: "score", part: null, keys: ["seed"], noun: "seed", hasRollouts: true, isAsked: false },
    goal: "maximize",
    arms: part.arms.map((name) => ({
      name,
      observations: [
        ...runs.filter(({ arm }) => arm === name).map(({ id, unit, value }) => ({ id, unit, value })),
        ...(part.missing ?? [])
          .filter(({ arm }) => arm === name)
          .map(({ id }) => ({ id, unit: id, value: null })),
      ],
    })),
  };
  return {
    ...{ study: "example", metric: "score", what: "score", summary: null, unit: null, goal: "maximize" },
    ...{
      by: ["arm"],
      baseline: null,
      missing: [],
      window: null,
      cautions: [],
      counted: "seed",
      standing: null,
    },
    ...{ set, runs: [...runs], colours: Object.fromEntries(part.arms.map((name, i) => [name, i])) },
    ...part,
  };
}

export function aMeasurement(arm: string, i: number, value: number): Measurement {
  const id = `${arm}-${i}`;
  return { id, arm, unit: `seed ${i}`, task: null, value, wallMs: 60_000, costUsd: 0.5 };
}

/** Normal values, the same for the same purpose. */
export function normals(count: number, { mean = 0, sd = 1, purpose = "test", seed = 1 } = {}): number[] {
  const stream = new RandomStream(seed, purpose);
  return Array.from({ length: count }, (_, i) => mean + sd * normalQuantile(stream.uniform(i)));
}
