import type { Arm, ArmSet, Observation } from "./observation.ts";

export interface Settled {
  arm: Arm;
  /** Agent failures that count as a failed task. */
  counted: number;
  /** Observations without a value, by whose fault it is. */
  missing: Record<string, number>;
}

/**
 * Decides what a failed run means. Where runs pass or fail, a run that the agent broke has failed. Everything else
 * that gave no number is missing: a broken machine says nothing about the agent, and a time that was never taken
 * is not 0. NaN and infinities are missing too.
 */
export function settleFailures(arm: Arm, { rate, goal }: { rate: boolean; goal: ArmSet["goal"] }): Settled {
  const missing: Record<string, number> = {};
  let counted = 0;
  const worst = goal === "minimize" ? 1 : 0;
  const settle = (observation: Observation): Observation => {
    if (observation.value !== null && Number.isFinite(observation.value)) return observation;
    const owner = observation.owner ?? "unknown";
    if (rate && owner === "agent") {
      counted++;
      return { ...observation, value: worst };
    }
    missing[owner] = (missing[owner] ?? 0) + 1;
    return { ...observation, value: null, owner };
  };
  return { arm: { name: arm.name, observations: arm.observations.map(settle) }, counted, missing };
}
