import type { Arm, ArmSet, Observation } from "../../src/design/arm-set.ts";

/** An arm whose values have the seeds 1, 2, 3, ... */
export function anArm(name: string, values: readonly (number | null)[], owner?: Observation["owner"]): Arm {
  return {
    name,
    observations: values.map((value, i) => ({
      id: `${name}-${i + 1}`,
      value,
      unit: String(i + 1),
      ...(value === null && owner ? { owner } : {}),
    })),
  };
}

/** Arms that are paired by seed, and what a test says otherwise. */
export function anArmSet(arms: Arm[], part: Partial<ArmSet> = {}): ArmSet {
  return { metric: "score", part: null, arms, keys: ["seed"], hasRollouts: false, isAsked: false, ...part };
}
