import { mean } from "../stats/index.ts";
import type { Measurement, Measurements } from "./measurements.ts";

/** An arm as independent values: one a seed, whatever else was averaged in it. */
export interface ArmValues {
  name: string;
  units: string[];
  values: number[];
}

/**
 * One value a seed: the mean over repeats, then over tasks and over parameters that vary within the arm. Runs of
 * one seed are not independent, so seeds are what is counted. A seed that lacks a block that others have is left
 * out: its mean would be one of other things.
 */
export function seedValues({ arms, runs }: Measurements): { arms: ArmValues[]; cautions: string[] } {
  const cautions: string[] = [];
  const values = arms.map((name) => {
    const own = runs.filter(({ arm }) => arm === name);
    const blocks = new Set(own.map(({ block }) => block)).size;
    const whole = [...groupBy(own, ({ unit }) => unit)]
      .map(([unit, members]) => ({ unit, means: blockMeans(members) }))
      .filter(({ means }) => means.length === blocks);
    const units = new Set(own.map(({ unit }) => unit)).size;
    if (whole.length < units)
      cautions.push(
        `${name}: ${units - whole.length} of ${units} seeds lack some of the ${blocks} settings that are averaged in a seed, and are left out.`,
      );
    return {
      name,
      units: whole.map(({ unit }) => unit),
      values: whole.map(({ means }) => average(means)),
    };
  });
  return { arms: values, cautions };
}

/** The units that all arms have, when pairing by them leaves at least two. */
export function sharedUnits(arms: readonly ArmValues[]): string[] | null {
  const [first, ...rest] = arms;
  if (!first) return null;
  const shared = first.units.filter((unit) => rest.every(({ units }) => units.includes(unit)));
  return shared.length >= 2 && arms.length >= 2 ? shared : null;
}

/** The values of an arm at given units, in their order. */
export function valuesAt({ units, values }: ArmValues, wanted: readonly string[]): number[] {
  const place = new Map(units.map((unit, i) => [unit, i]));
  return wanted.map((unit) => values[place.get(unit)!]!);
}

function blockMeans(runs: readonly Measurement[]): number[] {
  return [...groupBy(runs, ({ block }) => block).values()].map((members) =>
    average(members.map(({ value }) => value)),
  );
}

export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const members = groups.get(key);
    if (members) members.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

function average(values: readonly number[]): number {
  const answer = mean(values);
  return answer.known ? answer.value : Number.NaN;
}
