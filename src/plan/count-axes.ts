import type { Value } from "../core/params.ts";
import type { Plan } from "./plan.ts";

export interface AxisCount {
  name: string;
  /** Runs for each value; `value` undefined counts the runs in which the axis is inactive. */
  values: { value: Value | undefined; runs: number }[];
}

/** How many runs each value of each axis has, so that a reader sees what a plan spends its runs on. */
export function countAxes(plan: Plan): AxisCount[] {
  const { study, matrix } = plan;
  const tallies = new Map<string, Tally>();
  for (const name of [...plan.axisNames, "variant"]) tallies.set(name, new Map());
  if (matrix.isFull) {
    const total = plan.count();
    for (const { names, rows } of study.axes) {
      for (const row of rows) {
        for (let i = 0; i < names.length; i++) add(tallies.get(names[i]!)!, row[i], total / rows.length);
      }
    }
    for (const { name } of study.variants) add(tallies.get("variant")!, name, total / study.variants.length);
  } else {
    for (const { cell, weight } of plan.weighedCells()) {
      for (const name of plan.axisNames) add(tallies.get(name)!, cell.coordinates[name], weight);
      add(tallies.get("variant")!, cell.variant.name, weight);
    }
  }
  const counts = [...tallies].map(([name, tally]) => ({
    name,
    values: [...tally.values()],
  }));
  return counts.filter(({ name, values }) => name !== "variant" || values.length > 1);
}

/** By the value itself, or by its JSON where it is a list or an object. */
type Tally = Map<unknown, AxisCount["values"][number]>;

function add(tally: Tally, value: Value | undefined, runs: number): void {
  const key = typeof value === "object" && value !== null ? JSON.stringify(value) : value;
  const known = tally.get(key);
  if (known) known.runs += runs;
  else tally.set(key, { value, runs });
}
