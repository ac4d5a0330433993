import type { Arm, ArmSet, Observation } from "./observation.ts";

export interface Settled {
  arm: Arm;
  /** Agent failures that count as a failed task. */
  counted: number;
  /** Observations without a value, by whose fault it is. */
  missing: Record<string, number>;
}

/**
 * Decides what a failed run means. Where runs pass or fail, or where a metric has a worst value, a run that the agent broke has that. Everything else
 * that gave no number is missing: a broken machine says nothing about the agent, and a time that was never taken
 * is not 0. NaN and infinities are missing too.
 */
export function settleFailures(
  arm: Arm,
  { rate, goal, range }: { rate: boolean; goal: ArmSet["goal"] } & Pick<ArmSet, "range">,
): Settled {
  const missing: Record<string, number> = {};
  let counted = 0;
  const [least, most] = range ?? [0, 1];
  const worst = goal === "minimize" ? most : least;
  const settle = (observation: Observation): Observation => {
    if (observation.value !== null && Number.isFinite(observation.value)) return observation;
    const owner = observation.owner ?? "unknown";
    if ((rate || range) && owner === "agent") {
      counted++;
      return { ...observation, value: worst };
    }
    missing[owner] = (missing[owner] ?? 0) + 1;
    return { ...observation, value: null, owner };
  };
  return { arm: { name: arm.name, observations: arm.observations.map(settle) }, counted, missing };
}
