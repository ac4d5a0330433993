import { renameSync } from "node:fs";
import { join } from "node:path";
import { defineTarget, type MetricInfo } from "assay/plugin";
import * as z from "zod";
import { type Database, databaseBytes, loadSqlite, syncFile, WorkFolder } from "./database/database.ts";
import { applyPragmas, PROFILE_NAMES, pragmaProfiles } from "./database/pragmas.ts";
import {
  compareDigests,
  expectDigest,
  type LogDigest,
  type LogOptions,
  readDigest,
  StepLog,
} from "./step-log.ts";
import { step } from "./world/step.ts";
import { createWorld, type World, worldSchema } from "./world/world.ts";

const MODES = ["disk", "memory", "persisted"] as const;
type Mode = (typeof MODES)[number];

const chosenSchema = z.strictObject({
  test_disk_based: z.boolean().default(true).describe("Log to a database on the disk"),
  test_in_memory: z.boolean().default(true).describe("Log to a database in memory, which is then gone"),
  test_persistence: z
    .boolean()
    .default(true)
    .describe("Log to one in memory, and write it to the disk at the end"),
});

const paramsSchema = z
  .strictObject({
    num_agents: worldSchema.shape.num_agents,
    num_steps: z.int().min(1).max(1_000_000).default(100).describe("Steps of the world, each of them logged"),
    mode: z
      .enum(["all", ...MODES])
      .default("all")
      .describe("One way to log, so that arms can be compared; all: those of `parameters`, in turn"),
    parameters: chosenSchema
      .default(chosenSchema.parse({}))
      .describe("Which ways are tried in one iteration"),
    flush_every: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(10)
      .describe("Steps that are written in one transaction"),
    resources_every: z
      .int()
      .min(0)
      .max(1_000_000)
      .default(10)
      .describe("Steps after which all cells are logged too; 0 is never"),
    profile: z.enum(PROFILE_NAMES).default("balanced").describe("Settings of the database on the disk"),
    verify: z.boolean().default(true).describe("Read every row back and compare it with what was logged"),
    keep_database: z
      .boolean()
      .default(false)
      .describe("Leave the last database as simulation.db in the run's folder"),
    world: worldSchema
      .omit({ num_agents: true })
      .prefault({})
      .describe("The world itself, such as {width: 200, height: 200}; docs/farm.md lists all"),
  })
  .superRefine(({ mode, parameters }, ctx) => {
    if (mode !== "all" || Object.values(parameters).includes(true)) return;
    ctx.addIssue({ code: "custom", path: ["parameters"], message: "at least one way to log that is true" });
  });

type MemoryDbParams = z.output<typeof paramsSchema>;

function modesOf({ mode, parameters }: MemoryDbParams): Mode[] {
  if (mode !== "all") return [mode];
  const chosen: Record<Mode, boolean> = {
    disk: parameters.test_disk_based,
    memory: parameters.test_in_memory,
    persisted: parameters.test_persistence,
  };
  return MODES.filter((name) => chosen[name]);
}

interface Logging {
  params: MemoryDbParams;
  seed: number;
  open(path: string): Database;
  /** The file of the modes that end on the disk. */
  file: string;
  expected: LogDigest;
  signal: AbortSignal;
}

interface Logged {
  /** From the first step until all is where it should be, safely; opening and checking are not in it. */
  totalMs: number;
  /** Of that, writing the database in memory to the disk. */
  persistMs: number;
  bytes: number | null;
}

/** A stretch of work after which the run looks whether it should end. */
const LOOK_EVERY_MS = 50;

/** Simulates the world with every step logged, in one of the three ways, and checks what is there afterwards. */
async function logSimulation(mode: Mode, logging: Logging): Promise<Logged> {
  const { params, open, file } = logging;
  const world = createWorld({ ...params.world, num_agents: params.num_agents }, logging.seed);
  const db = open(mode === "disk" ? file : ":memory:");
  let isOpen = true;
  const close = () => {
    if (isOpen) db.close();
    isOpen = false;
  };
  try {
    if (mode === "disk") applyPragmas(db, pragmaProfiles[params.profile]);
    const log = new StepLog(db, logOptions(params));
    const start = performance.now();
    await simulate(world, log, logging);
    const simulated = performance.now();
    // A statement, not a path in a string: a folder's name may hold a quote.
    if (mode === "persisted") db.prepare("VACUUM INTO ?").run([file]);
    if (mode === "disk") {
      // What a write-ahead log still holds belongs into the file; closing does not always put it there.
      db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
      close();
    }
    if (mode !== "memory") syncFile(file);
    const end = performance.now();
    if (mode === "memory") check(db, logging);
    else checkFile(logging);
    return {
      totalMs: end - start,
      persistMs: mode === "persisted" ? end - simulated : 0,
      bytes: mode === "memory" ? null : databaseBytes(file),
    };
  } finally {
    close();
  }
}

function logOptions({ flush_every, resources_every }: MemoryDbParams): LogOptions {
  return { flushEvery: flush_every, resourcesEvery: resources_every };
}

async function simulate(world: World, log: StepLog, { params, signal }: Logging): Promise<void> {
  let look = performance.now() + LOOK_EVERY_MS;
  for (let i = 0; i < params.num_steps; i++) {
    log.record(world, step(world));
    if (performance.now() < look) continue;
    await new Promise((resume) => setImmediate(resume));
    signal.throwIfAborted();
    look = performance.now() + LOOK_EVERY_MS;
  }
  log.flush();
}

function checkFile(logging: Logging): void {
  const db = logging.open(logging.file);
  try {
    check(db, logging);
  } finally {
    db.close();
  }
}

function check(db: Database, { params, expected }: Logging): void {
  if (!params.verify) return;
  const wrong = compareDigests(expected, readDigest(db));
  if (wrong !== null) throw new Error(`the log is not complete: ${wrong}`);
}

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
    [`{mode=${MODES.join("|")}}_ms`]: {
      ...ms("Simulating and logging, as each mode does it, until it is safe where the mode keeps it"),
      ...{ primary: true, label: "log_ms", baseline: { mode: "disk" } },
    },
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
