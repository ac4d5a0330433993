import { copyFileSync } from "node:fs";
import { defineTarget, type MetricInfo, RandomStream } from "assay/plugin";
import * as z from "zod";
import { type Database, databaseBytes, loadSqlite, readValue, WorkFolder } from "./database/database.ts";
import { Latencies, latencyInfos } from "./database/latencies.ts";
import { applyPragmas, choosePragmas, PROFILE_NAMES, pragmaShape } from "./database/pragmas.ts";
import { createRecords, fillRecords, RecordMaker } from "./database/records.ts";

/** The share of operations that write. */
export const WORKLOADS = { write_heavy: 0.9, mixed: 0.5, read_heavy: 0.1 } as const;
type WorkloadName = keyof typeof WORKLOADS;
const WORKLOAD_NAMES = Object.keys(WORKLOADS) as [WorkloadName, ...WorkloadName[]];

interface WorkloadOptions {
  workload: WorkloadName;
  operations: number;
  batchSize: number;
  /** Records that the database holds at the start, with ids from 0. */
  records: number;
  maker: RecordMaker;
  seed: number;
}

interface WorkloadResult {
  reads: Latencies;
  writes: Latencies;
  commits: Latencies;
  wallMs: number;
}

/**
 * Reads and writes in a random order, the same for every profile. Of the writes three in four insert and one updates;
 * of the reads half take one record by its key and half an agent's newest ten. `batchSize` operations make a transaction.
 */
export function doWorkload(db: Database, options: WorkloadOptions): WorkloadResult {
  const { workload, operations, batchSize, records, maker, seed } = options;
  const insert = db.prepare("INSERT INTO records VALUES (?, ?, ?, ?, ?)");
  const update = db.prepare("UPDATE records SET energy = energy + 1 WHERE id = ?");
  const byKey = db.prepare("SELECT * FROM records WHERE id = ?").raw();
  const byAgent = db.prepare("SELECT * FROM records WHERE agent_id = ? ORDER BY id DESC LIMIT 10").raw();
  const [reads, writes, commits] = [new Latencies(), new Latencies(), new Latencies()];
  const stream = new RandomStream(seed, `farm/pragma/${workload}`);
  const drawn = new Float64Array(2);
  let nextId = records;
  const start = performance.now();
  db.exec("BEGIN");
  for (let i = 0; i < operations; i++) {
    stream.uniformPair(drawn, i);
    const isWrite = drawn[0]! < WORKLOADS[workload];
    // What is left of the draw after the choice is a draw again.
    const kind = isWrite
      ? drawn[0]! / WORKLOADS[workload]
      : (drawn[0]! - WORKLOADS[workload]) / (1 - WORKLOADS[workload]);
    const id = Math.floor(drawn[1]! * nextId);
    if (isWrite && kind < 0.75) {
      const row = maker.make(nextId++);
      writes.time(() => insert.run(row));
    } else if (isWrite) writes.time(() => update.run([id]));
    else if (kind < 0.5) reads.time(() => byKey.all([id]));
    else reads.time(() => byAgent.all([id % 1000]));
    if ((i + 1) % batchSize !== 0) continue;
    commits.time(() => db.exec("COMMIT"));
    db.exec("BEGIN");
  }
  commits.time(() => db.exec("COMMIT"));
  return { reads, writes, commits, wallMs: performance.now() - start };
}

/** One name or several: several are tried one after the other in each iteration. */
function oneOrSeveral<T extends string>(names: [T, ...T[]]) {
  const message = `one of ${names.join(", ")}, or a list of them`;
  return z.union([z.enum(names), z.array(z.enum(names)).min(1)], { error: message });
}

const paramsSchema = z.strictObject({
  profiles: oneOrSeveral(PROFILE_NAMES)
    .default(PROFILE_NAMES)
    .describe(`Settings: ${PROFILE_NAMES.join(", ")}`),
  workloads: oneOrSeveral(WORKLOAD_NAMES)
    .default(WORKLOAD_NAMES)
    .describe(`What is done: ${WORKLOAD_NAMES.join(", ")}`),
  num_records: z.int().min(1).max(10_000_000).default(10_000).describe("Operations of a workload"),
  db_size_mb: z.number().min(0).max(10_000).default(20).describe("Size of the database at the start, in MB"),
  batch_size: z.int().min(1).max(1_000_000).default(100).describe("Operations in a transaction"),
  record_bytes: z
    .int()
    .min(0)
    .max(100_000)
    .default(500)
    .describe("Bytes that a record carries besides its numbers"),
  ...pragmaShape,
});

type PragmaProfileParams = z.output<typeof paramsSchema>;

function listOf<T extends string>(value: T | T[]): T[] {
  return [...new Set(Array.isArray(value) ? value : [value])];
}

interface State {
  open(path: string): Database;
  folder: WorkFolder;
  maker: RecordMaker;
  /** A filled database for each page size: the others can be set when it is opened. */
  filled: Map<number, string>;
}

/** What a record's numbers and its place in the index take besides the payload, about. */
const ROW_OVERHEAD_BYTES = 30;

const infos: Record<string, MetricInfo> = {
  workload_ms: {
    unit: "ms",
    direction: "minimize",
    description: "All operations and commits of the workload",
  },
  ops_per_s: {
    unit: "1/s",
    direction: "maximize",
    primary: true,
    description: "Operations a second of workload_ms",
  },
  ...latencyInfos("read", "Reads", "a read"),
  ...latencyInfos("write", "Writes", "a write without its commit"),
  ...latencyInfos("commit", "Commits", "a commit"),
  end_bytes: {
    unit: "B",
    direction: "minimize",
    description: "Size of the database at the end, with its log",
  },
};

/** `balanced_write_heavy_ops_per_s` and so on: with several profiles or workloads each has its own metrics. */
const everyCombination: Record<string, MetricInfo> = Object.fromEntries(
  Object.entries(infos).map(([name, info]) => [
    `{profile=${PROFILE_NAMES.join("|")}}_{workload=${WORKLOAD_NAMES.join("|")}}_${name}`,
    { ...info, baseline: { profile: "default" } },
  ]),
);

/** How SQLite's settings change the speed of workloads on a database of some size. */
export const pragmaProfile = defineTarget({
  name: "pragma_profile",
  version: "1",
  description: "workloads of writes and reads on an SQLite database, under named profiles of its settings",
  params: paramsSchema,
  metrics: {
    ...everyCombination,
    ...infos,
    total_ms: { unit: "ms", direction: "minimize", description: "workload_ms of all combinations together" },
  },
  async setup({ params, seed, outDir }): Promise<State> {
    const open = await loadSqlite();
    const folder = new WorkFolder(outDir);
    const maker = new RecordMaker(seed, params.record_bytes);
    const filled = new Map<number, string>();
    try {
      for (const profile of listOf(params.profiles)) {
        const { page_size } = choosePragmas(profile, params);
        if (filled.has(page_size)) continue;
        const file = folder.newFile();
        filled.set(page_size, file);
        fill(open(file), { page_size, maker, records: recordsAtStart(params) });
      }
    } catch (error) {
      // A setup that failed has no teardown.
      folder.remove();
      throw error;
    }
    return { open, folder, maker, filled };
  },
  async run({ params, seed, signal }, { open, folder, maker, filled }) {
    const profiles = listOf(params.profiles);
    const workloads = listOf(params.workloads);
    const isOne = profiles.length === 1 && workloads.length === 1;
    const metrics: Record<string, number | null> = {};
    let totalMs = 0;
    for (const profile of profiles) {
      for (const workload of workloads) {
        await new Promise((resume) => setImmediate(resume));
        signal.throwIfAborted();
        const pragmas = choosePragmas(profile, params);
        const file = folder.newFile();
        copyFileSync(filled.get(pragmas.page_size)!, file);
        const db = open(file);
        try {
          applyPragmas(db, pragmas);
          const { num_records: operations, batch_size: batchSize } = params;
          const records = recordsAtStart(params);
          const done = doWorkload(db, { workload, operations, batchSize, records, maker, seed });
          totalMs += done.wallMs;
          const found: Record<string, number | null> = {
            workload_ms: done.wallMs,
            ops_per_s: (operations * 1000) / done.wallMs,
            ...done.reads.metrics("read"),
            ...done.writes.metrics("write"),
            ...done.commits.metrics("commit"),
            end_bytes: databaseBytes(file),
          };
          for (const [name, value] of Object.entries(found))
            metrics[isOne ? name : `${profile}_${workload}_${name}`] = value;
        } finally {
          db.close();
          folder.removeFile(file);
        }
      }
    }
    return { ...metrics, total_ms: totalMs };
  },
  teardown(_ctx, state) {
    state?.folder.remove();
  },
});

function recordsAtStart({ db_size_mb, record_bytes }: PragmaProfileParams): number {
  return Math.floor((db_size_mb * 1e6) / (record_bytes + ROW_OVERHEAD_BYTES));
}

function fill(db: Database, options: { page_size: number; maker: RecordMaker; records: number }): void {
  try {
    db.exec(
      `PRAGMA page_size = ${options.page_size}; PRAGMA synchronous = off; PRAGMA journal_mode = memory`,
    );
    createRecords(db);
    fillRecords(db, options.maker, { from: 0, to: options.records });
    db.exec("CREATE INDEX records_by_agent ON records (agent_id)");
    if (readValue(db, "SELECT count(*) FROM records") !== options.records)
      throw new Error("SQLite did not keep all records of the database that a workload starts with");
  } finally {
    db.close();
  }
}
