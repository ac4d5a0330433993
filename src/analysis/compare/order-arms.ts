import type { Scale } from "../../design/arm-set.ts";
import { type ArmEstimate, sharedUnits, valuesAt } from "../estimate-arm.ts";

/**
 * Arms with a value, the best first. They are ordered by their means over the units that all of them have, since those
 * are what is compared; by all their units where they share fewer than two. On the scale of ratios by geometric means.
 */
export function orderArms(
  arms: readonly ArmEstimate[],
  goal: "minimize" | "maximize",
  scale: Scale = "difference",
): ArmEstimate[] {
  const there = arms.filter(({ mean }) => mean !== null);
  const shared = sharedUnits(there);
  const isWhole = !shared || there.every(({ units }) => units.length === shared.length);
  const level = new Map(
    there.map((arm) => {
      if (scale === "ratio") return [arm, average(valuesAt(arm, shared ?? arm.units).map(Math.log))] as const;
      return [arm, isWhole ? arm.mean! : average(valuesAt(arm, shared))] as const;
    }),
  );
  const sign = goal === "maximize" ? -1 : 1;
  return there.toSorted((a, b) => sign * (level.get(a)! - level.get(b)!));
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
