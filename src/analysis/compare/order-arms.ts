import { trimmedMean } from "../../stats/index.ts";
import { type ArmEstimate, sharedUnits, valuesAt } from "../estimate-arm.ts";
import { TRIMS } from "./centre.ts";
import type { SettledSet } from "./settle-failures.ts";

export type Means = Pick<SettledSet, "scale" | "centre">;
type Levelled = Pick<ArmEstimate, "units" | "values" | "mean">;

/**
 * Arms with a value, the best first. They are ordered by their means over the units that all of them have, since those
 * are what is compared; by all their units where they share fewer than two.
 */
export function orderArms(
  arms: readonly ArmEstimate[],
  goal: "minimize" | "maximize",
  means: Means = { scale: "difference", centre: "mean" },
): ArmEstimate[] {
  const there = arms.filter(({ mean }) => mean !== null);
  const levels = levelsOf(there, means);
  const level = new Map(there.map((arm, i) => [arm, levels[i]!]));
  const sign = goal === "maximize" ? -1 : 1;
  return there.toSorted((a, b) => sign * (level.get(a)! - level.get(b)!));
}

/** What arms that have values are ordered by. */
export function levelsOf(arms: readonly Levelled[], means: Means): number[] {
  const shared = sharedUnits(arms);
  const isWhole = !shared || arms.every(({ units }) => units.length === shared.length);
  const isPlain = means.scale === "difference" && means.centre === "mean" && isWhole;
  return isPlain ? arms.map(({ mean }) => mean!) : centresOf(comparedValues(arms, means), means);
}

/** What is compared of each arm: the units that all have, where they share some, on the scale that they are compared by. */
export function comparedValues(arms: readonly Levelled[], { scale, centre }: Means): number[][] {
  const shared = sharedUnits(arms);
  const rows = arms.map((arm) => {
    const values = shared ? valuesAt(arm, shared) : arm.values;
    return scale === "ratio" ? values.map(Math.log) : values;
  });
  if (centre === "mean" || !shared) return rows;
  // The highest and the lowest are those of differences, so what units share is taken out first.
  const usual = shared.map((_, i) => average(rows.map((row) => row[i]!)));
  return rows.map((row) => row.map((value, i) => value - usual[i]!));
}

function centresOf(rows: readonly number[][], { centre }: Means): number[] {
  return rows.map((row) => {
    const trimmed = centre !== "mean" ? trimmedMean(row, TRIMS[centre]) : null;
    return trimmed?.known ? trimmed.value : average(row);
  });
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
