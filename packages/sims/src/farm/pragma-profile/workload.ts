import { RandomStream } from "assay/plugin";
import { Latencies } from "../database/latencies.ts";
import type { Database } from "../database/open-database.ts";
import type { RecordMaker } from "../database/records.ts";

/** The share of operations that write. */
export const WORKLOADS = { write_heavy: 0.9, mixed: 0.5, read_heavy: 0.1 } as const;
export type WorkloadName = keyof typeof WORKLOADS;
export const WORKLOAD_NAMES = Object.keys(WORKLOADS) as [WorkloadName, ...WorkloadName[]];

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
