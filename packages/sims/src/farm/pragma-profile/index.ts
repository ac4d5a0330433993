import { copyFileSync } from "node:fs";
import { defineTarget, type MetricInfo } from "assay/plugin";
import { latencyInfos } from "../database/latencies.ts";
import { type Database, loadSqlite, readValue } from "../database/open-database.ts";
import { applyPragmas, choosePragmas, PROFILE_NAMES } from "../database/pragmas.ts";
import { createRecords, fillRecords, RecordMaker } from "../database/records.ts";
import { databaseBytes, WorkFolder } from "../database/work-folder.ts";
import { listOf, type PragmaProfileParams, paramsSchema } from "./params.ts";
import { doWorkload, WORKLOAD_NAMES } from "./workload.ts";

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
  ops_per_s: { unit: "1/s", direction: "maximize", description: "Operations a second of workload_ms" },
  ...latencyInfos("read", "Reads", "a read"),
  ...latencyInfos("write", "Writes", "a write without its commit"),
  ...latencyInfos("commit", "Commits", "a commit"),
  end_bytes: {
    unit: "B",
    direction: "minimize",
    description: "Size of the database at the end, with its log",
  },
};

/** How SQLite's settings change the speed of workloads on a database of some size. */
export const pragmaProfile = defineTarget({
  name: "pragma_profile",
  version: "1",
  description: "workloads of writes and reads on an SQLite database, under named profiles of its settings",
  params: paramsSchema,
  metrics: {
    ...infos,
    total_ms: { unit: "ms", direction: "minimize", description: "workload_ms of all combinations together" },
    ...everyCombination(),
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

/** `balanced_write_heavy_ops_per_s` and so on: with several profiles or workloads each has its own metrics. */
function everyCombination(): Record<string, MetricInfo> {
  return Object.fromEntries(
    PROFILE_NAMES.flatMap((profile) =>
      WORKLOAD_NAMES.flatMap((workload) =>
        Object.entries(infos).map(([name, info]) => [`${profile}_${workload}_${name}`, info]),
      ),
    ),
  );
}
