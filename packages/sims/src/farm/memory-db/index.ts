import { renameSync } from "node:fs";
import { join } from "node:path";
import { defineTarget, type MetricInfo } from "assay/plugin";
import { type Database, loadSqlite } from "../database/open-database.ts";
import { WorkFolder } from "../database/work-folder.ts";
import { expectDigest, type LogDigest } from "../log/log-digest.ts";
import { createWorld } from "../world/world.ts";
import { logOptions, logSimulation } from "./log-simulation.ts";
import { type Mode, modesOf, paramsSchema } from "./params.ts";

interface State {
  open(path: string): Database;
  folder: WorkFolder;
  expected: LogDigest;
  rows: number;
  lastFile: string | null;
}

const ms = (description: string): MetricInfo => ({ unit: "ms", direction: "minimize", description });

/** A world that is logged step by step into SQLite: on the disk, in memory, or in memory and persisted at the end. */
export const memoryDb = defineTarget({
  name: "memory_db",
  version: "1",
  description:
    "logs a world of agents into SQLite: on disk, in memory, or in memory and persisted at the end",
  params: paramsSchema,
  metrics: {
    total_ms: ms(
      "Simulating and logging, all modes of the iteration together: what arms with one `mode` compare",
    ),
    disk_ms: ms("Simulating and logging to a database on the disk, until it is safe there"),
    memory_ms: ms("The same to a database in memory, which is then gone"),
    persisted_ms: ms("The same in memory, and written to the disk at the end, until it is safe there"),
    persist_ms: ms("Of persisted_ms, writing to the disk"),
    speedup: { unit: "1", direction: "maximize", description: "disk_ms over persisted_ms" },
    memory_speedup: { unit: "1", direction: "maximize", description: "disk_ms over memory_ms" },
    rows_per_s: { unit: "1/s", direction: "maximize", description: "Logged rows a second of total_ms" },
    rows: { unit: "1", direction: "none", description: "Rows that one mode logs" },
    disk_bytes: {
      unit: "B",
      direction: "minimize",
      description: "Size of the database that was logged on disk",
    },
    persisted_bytes: {
      unit: "B",
      direction: "minimize",
      description: "Size of the database that was persisted",
    },
    agent_states: { unit: "1", direction: "none", description: "Of the rows, states of agents" },
  },
  async setup({ params, seed, outDir }): Promise<State> {
    const open = await loadSqlite();
    const world = createWorld({ ...params.world, num_agents: params.num_agents }, seed);
    const expected = expectDigest(world, params.num_steps, logOptions(params));
    const rows = Object.values(expected).reduce((sum, table) => sum + table.rows, 0);
    return { open, folder: new WorkFolder(outDir), expected, rows, lastFile: null };
  },
  async run({ params, seed, iteration, signal }, state) {
    const { open, folder, expected, rows } = state;
    const modes = modesOf(params);
    const metrics: Record<string, number | null> = {};
    let totalMs = 0;
    for (let i = 0; i < modes.length; i++) {
      // Each mode comes first in its turn, so that none is always the one with the cold or the busy machine.
      const mode = modes[(i + Math.abs(iteration)) % modes.length]!;
      const file = folder.newFile();
      const logged = await logSimulation(mode, { params, seed, open, file, expected, signal });
      totalMs += logged.totalMs;
      metrics[`${mode}_ms`] = logged.totalMs;
      if (mode === "persisted") metrics.persist_ms = logged.persistMs;
      if (logged.bytes === null) continue;
      metrics[`${mode}_bytes`] = logged.bytes;
      if (state.lastFile !== null) folder.removeFile(state.lastFile);
      state.lastFile = file;
    }
    return {
      total_ms: totalMs,
      ...metrics,
      ...speedups(metrics),
      rows_per_s: (rows * modes.length * 1000) / totalMs,
      rows,
      agent_states: expected.agent_states!.rows,
    };
  },
  teardown({ params, outDir }, state) {
    if (!state) return;
    const { folder, lastFile } = state;
    if (params.keep_database && outDir !== null && lastFile !== null)
      renameSync(lastFile, join(outDir, "simulation.db"));
    folder.remove();
  },
});

/** Only where both were measured in this iteration. */
function speedups(metrics: Record<string, number | null>): Record<string, number> {
  const ratio = (mode: Mode) => metrics.disk_ms! / metrics[`${mode}_ms`]!;
  if (metrics.disk_ms === undefined) return {};
  return {
    ...(metrics.persisted_ms !== undefined && { speedup: ratio("persisted") }),
    ...(metrics.memory_ms !== undefined && { memory_speedup: ratio("memory") }),
  };
}
