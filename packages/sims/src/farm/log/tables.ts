import type { StepSummary } from "../world/step.ts";
import type { World } from "../world/world.ts";

/** The tables of a log and their columns, all of them whole numbers. */
export const LOG_TABLES = {
  agent_states: ["step", "id", "x", "y", "energy", "age", "action", "gathered"],
  births: ["step", "id", "parent"],
  deaths: ["step", "id", "cause"],
  resources: ["step", "cell", "amount"],
  steps: [
    "step",
    "population",
    "births",
    "starved",
    "aged",
    "resources",
    "energy",
    "regrown",
    "gathered",
    "spent",
    "lost",
  ],
} as const;

export type LogTable = keyof typeof LOG_TABLES;
export const LOG_TABLE_NAMES = Object.keys(LOG_TABLES) as LogTable[];

/** The rows of one or several steps, each table's one after the other in a flat list. */
export type LogRows = Record<LogTable, number[]>;

export function noRows(): LogRows {
  return { agent_states: [], births: [], deaths: [], resources: [], steps: [] };
}

/** Appends all rows of the step that the world has just done; `withResources`, also every cell that holds some. */
export function appendRows(
  rows: LogRows,
  { world, summary, withResources }: { world: World; summary: StepSummary; withResources: boolean },
): void {
  const { time, count, id, x, y, energy, age, action, gathered, births, deaths, resources } = world;
  const states = rows.agent_states;
  for (let i = 0; i < count; i++) {
    states.push(time, id[i]!, x[i]!, y[i]!, energy[i]!, age[i]!, action[i]!, gathered[i]!);
  }
  for (const [table, events] of [[rows.births, births] as const, [rows.deaths, deaths] as const]) {
    for (let i = 0; i < events.count; i++) table.push(time, events.id[i]!, events.detail[i]!);
  }
  for (const column of LOG_TABLES.steps) rows.steps.push(summary[column]);
  if (!withResources) return;
  for (let cell = 0; cell < resources.length; cell++) {
    if (resources[cell]! > 0) rows.resources.push(time, cell, resources[cell]!);
  }
}
