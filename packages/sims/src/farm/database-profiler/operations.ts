import { RandomStream } from "assay/plugin";
import { RowInserter } from "../database/insert-rows.ts";
import type { Latencies } from "../database/latencies.ts";
import type { Database } from "../database/open-database.ts";
import { RECORD_COLUMNS, type RecordMaker } from "../database/records.ts";

export const OPERATIONS = ["insert", "select", "update", "aggregate"] as const;
export type OperationName = (typeof OPERATIONS)[number];

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
export const operations: Record<OperationName, Operation> = {
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
