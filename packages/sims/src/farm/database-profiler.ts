import { defineTarget, type MetricInfo, RandomStream } from "assay/plugin";
import * as z from "zod";
import { type Database, loadSqlite, RowInserter, readValue, WorkFolder } from "./database/database.ts";
import { Latencies, latencyInfos } from "./database/latencies.ts";
import { applyPragmas, choosePragmas, PROFILE_NAMES, pragmaShape } from "./database/pragmas.ts";
import { createRecords, RECORD_COLUMNS, RecordMaker } from "./database/records.ts";

export const OPERATIONS = ["insert", "select", "update", "aggregate"] as const;
type OperationName = (typeof OPERATIONS)[number];

interface Work {
  db: Database;
  maker: RecordMaker;
  records: number;
  batchSize: number;
  /** How often the operations other than insert are called. */
  calls: number;
  seed: number;
}

type Operation = (work: Work, latencies: Latencies) => void;

/** What is profiled. A call handles a batch; select and aggregate look for an agent, which an index helps. */
const operations: Record<OperationName, Operation> = {
  insert({ db, maker, records, batchSize }, latencies) {
    const inserter = new RowInserter(db, "records", RECORD_COLUMNS.length);
    for (let from = 0; from < records; from += batchSize) {
      const rows: unknown[] = [];
      const to = Math.min(records, from + batchSize);
      for (let id = from; id < to; id++) rows.push(...maker.make(id));
      latencies.time(() => {
        db.exec("BEGIN");
        inserter.insert(rows);
        db.exec("COMMIT");
      }, to - from);
    }
  },
  select(work, latencies) {
    const select = work.db.prepare("SELECT * FROM records WHERE agent_id = ? ORDER BY step LIMIT ?").raw();
    for (const agent of drawAgents(work, "select")) latencies.time(() => select.all([agent, work.batchSize]));
  },
  update(work, latencies) {
    const update = work.db.prepare("UPDATE records SET energy = energy + 1 WHERE agent_id = ?");
    const agents = drawAgents(work, "update");
    for (let from = 0; from < agents.length; from += work.batchSize) {
      const some = agents.slice(from, from + work.batchSize);
      latencies.time(() => {
        work.db.exec("BEGIN");
        for (const agent of some) update.run([agent]);
        work.db.exec("COMMIT");
      }, some.length);
    }
  },
  aggregate(work, latencies) {
    const sum = work.db
      .prepare("SELECT count(*), avg(energy), max(step) FROM records WHERE agent_id BETWEEN ? AND ?")
      .raw();
    for (const agent of drawAgents(work, "aggregate")) latencies.time(() => sum.all([agent, agent + 9]));
  },
};

function drawAgents({ calls, seed }: Work, purpose: OperationName): number[] {
  const stream = new RandomStream(seed, `farm/profiler/${purpose}`);
  return Array.from({ length: calls }, (_, i) => Math.floor(stream.uniform(i) * 1000));
}

const INDICES = ["with", "without"] as const;

const paramsSchema = z.strictObject({
  num_records: z.int().min(1).max(10_000_000).default(10_000).describe("Records that are inserted"),
  batch_size: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(100)
    .describe("Records of an insert, updates of a transaction, rows of a select at most"),
  calls: z.int().min(1).max(1_000_000).default(200).describe("Selects, updates and aggregates"),
  indices: z
    .enum([...INDICES, "both"])
    .default("both")
    .describe("Whether agents and steps are indexed; both: one after the other, metrics with and without"),
  in_memory: z.boolean().default(false).describe("A database in memory instead of one on the disk"),
  profile: z.enum(PROFILE_NAMES).default("balanced").describe("Settings of the database on the disk"),
  record_bytes: z
    .int()
    .min(0)
    .max(100_000)
    .default(200)
    .describe("Bytes that a record carries besides its numbers"),
  ...pragmaShape,
});

interface State {
  open(path: string): Database;
  folder: WorkFolder;
}

const latencies: Record<string, MetricInfo> = {
  ...latencyInfos("insert", "Records", "a batch of inserts with its commit"),
  ...latencyInfos("select", "Selects", "a select of one agent's records"),
  ...latencyInfos("update", "Updates", "a batch of updates with its commit"),
  ...latencyInfos("aggregate", "Aggregates", "an aggregate over ten agents"),
};
/** What people ask of a database first is how much it does in a second. */
const infos: Record<string, MetricInfo> = Object.fromEntries(
  Object.entries(latencies).map(([name, info]) => [
    name,
    name.endsWith("_per_s") ? { ...info, primary: true } : info,
  ]),
);

/** What single operations on a log in SQLite cost, with and without indices. */
export const databaseProfiler = defineTarget({
  name: "database_profiler",
  version: "1",
  description: "inserts, selects, updates and aggregates on SQLite, with and without indices",
  params: paramsSchema,
  metrics: {
    total_ms: { unit: "ms", direction: "minimize", description: "All operations together" },
    ...Object.fromEntries(
      Object.entries(infos).map(([name, info]) => [
        `{indices=${INDICES.join("|")}}_${name}`,
        { ...info, baseline: { indices: "without" } },
      ]),
    ),
    ...infos,
  },
  async setup({ outDir }): Promise<State> {
    return { open: await loadSqlite(), folder: new WorkFolder(outDir) };
  },
  async run({ params, seed, signal }, { open, folder }) {
    const isBoth = params.indices === "both";
    const metrics: Record<string, number | null> = {};
    let totalMs = 0;
    for (const index of INDICES.filter((name) => isBoth || name === params.indices)) {
      const file = params.in_memory ? ":memory:" : folder.newFile();
      const db = open(file);
      try {
        if (!params.in_memory) applyPragmas(db, choosePragmas(params.profile, params));
        createRecords(db);
        if (index === "with")
          db.exec(
            "CREATE INDEX by_agent ON records (agent_id, step); CREATE INDEX by_step ON records (step)",
          );
        const maker = new RecordMaker(seed, params.record_bytes);
        const work = {
          db,
          maker,
          records: params.num_records,
          batchSize: params.batch_size,
          calls: params.calls,
          seed,
        };
        for (const name of OPERATIONS) {
          await new Promise((resume) => setImmediate(resume));
          signal.throwIfAborted();
          const latencies = new Latencies();
          operations[name](work, latencies);
          totalMs += latencies.totalMs;
          Object.assign(metrics, latencies.metrics(isBoth ? `${index}_${name}` : name));
        }
        const kept = readValue(db, "SELECT count(*) FROM records");
        if (kept !== params.num_records)
          throw new Error(`the database holds ${kept} records, ${params.num_records} were inserted`);
      } finally {
        db.close();
        if (!params.in_memory) folder.removeFile(file);
      }
    }
    return { total_ms: totalMs, ...metrics };
  },
  teardown(_ctx, state) {
    state?.folder.remove();
  },
});
