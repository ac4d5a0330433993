import { RandomStream } from "assay/plugin";
import { type Database, RowInserter } from "./database.ts";

/** Rows of a simulation's kind: who, when, some numbers, and a piece of bytes. */
export const RECORD_COLUMNS = ["id", "agent_id", "step", "energy", "payload"] as const;
const AGENTS = 1000;
const FILL_ROWS = 5000;

/** Makes records by their number: the same seed gives the same ones, in whatever order they are asked for. */
export class RecordMaker {
  readonly #stream: RandomStream;
  readonly #noise: Buffer;
  readonly #payloadBytes: number;

  constructor(seed: number, payloadBytes: number) {
    this.#stream = new RandomStream(seed, "farm/records");
    this.#payloadBytes = payloadBytes;
    // One piece of noise of which each payload is a window: as hard to compress, and quick to make.
    const next = new RandomStream(seed, "farm/payloads").sequence();
    this.#noise = Buffer.from(
      Uint8Array.from({ length: payloadBytes + 4096 }, () => Math.floor(next() * 256)),
    );
  }

  make(id: number): unknown[] {
    const drawn = this.#stream.uniform(id);
    const from = Math.floor(drawn * 4096);
    return [
      id,
      Math.floor(drawn * AGENTS),
      Math.floor(id / AGENTS),
      Math.floor(((drawn * 1000) % 1) * 200),
      this.#noise.subarray(from, from + this.#payloadBytes),
    ];
  }
}

export function createRecords(db: Database): void {
  db.exec(
    "CREATE TABLE records (id INTEGER PRIMARY KEY, agent_id INTEGER, step INTEGER, energy INTEGER, payload BLOB)",
  );
}

/** Inserts the records with the ids from `from` to below `to`. */
export function fillRecords(
  db: Database,
  maker: RecordMaker,
  { from, to }: { from: number; to: number },
): void {
  const inserter = new RowInserter(db, "records", RECORD_COLUMNS.length);
  for (let id = from; id < to; id += FILL_ROWS) {
    const rows: unknown[] = [];
    for (let i = id; i < Math.min(to, id + FILL_ROWS); i++) rows.push(...maker.make(i));
    db.exec("BEGIN");
    inserter.insert(rows);
    db.exec("COMMIT");
  }
}
