import Database from "libsql";
import type { Params } from "../../core/params.ts";
import { hashOf, type Run } from "../../core/run.ts";
import { isAlive, type Living, thisProcess } from "./living.ts";

/** How long a worker waits for the others' transactions, which take microseconds each. */
const BUSY_MS = 60_000;

export type SweepState = "open" | "paused" | "finished";

/** A point that was proposed, or added by hand. */
export interface ProposedPoint {
  number: number;
  params: Params;
  /** Bytes of the journal that were known when it was proposed: with them a search can be replayed. */
  journalBytes: number;
  /** Proposed by the searcher; false for one that somebody added. */
  isAsked: boolean;
  /** How many of its runs have been handed out, finished ones passed over included. */
  handed: number;
}

/** A point the rest of whose runs is not done. */
export interface Cut {
  number: number;
  why: string;
  /** What was known of the journal when that was decided. */
  journalBytes: number;
}

/** A run that some worker has taken and not recorded yet; one whose worker died is nobody's. */
export interface Claim {
  run: Run;
  worker: number;
  sinceMs: number;
}

const NOBODY = 0;

/**
 * sweep.db: which points there are and who works on which run. The journal stays the truth about what ended; this
 * file only keeps workers out of each other's way. Everything happens in transactions that exclude each other, so
 * a worker may be killed anywhere.
 */
export class Ledger {
  readonly #db: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();
  #worker: number | undefined;

  constructor(studyDir: string) {
    this.#db = new Database(`${studyDir}/sweep.db`, { timeout: BUSY_MS });
    this.#db.pragma("journal_mode = WAL");
    // A power cut may take the newest claims; the journal, which is synced, tells what they came to.
    this.#db.pragma("synchronous = NORMAL");
    this.#db.exec(`
      CREATE TABLE IF NOT EXISTS fact (name TEXT PRIMARY KEY, value TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS worker (number INTEGER PRIMARY KEY, pid INTEGER NOT NULL, host TEXT NOT NULL, birth TEXT NOT NULL, since TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS point (number INTEGER PRIMARY KEY, params TEXT NOT NULL, journal_bytes INTEGER NOT NULL, is_asked INTEGER NOT NULL, handed INTEGER NOT NULL, cut TEXT, cut_bytes INTEGER);
      CREATE TABLE IF NOT EXISTS claim (hash TEXT PRIMARY KEY, run TEXT NOT NULL, worker INTEGER NOT NULL, since_ms INTEGER NOT NULL);
    `);
  }

  #sql(text: string): Database.Statement {
    let statement = this.#statements.get(text);
    if (!statement) {
      statement = this.#db.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }

  /** Nobody else reads or writes meanwhile; when `body` throws, nothing of it has happened. */
  exclusively<T>(body: () => T): T {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      const result = body();
      this.#db.exec("COMMIT");
      return result;
    } catch (error) {
      this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  get state(): SweepState {
    return (this.fact("state") as SweepState | undefined) ?? "open";
  }

  fact(name: string): string | undefined {
    const row = this.#sql("SELECT value FROM fact WHERE name = ?").get([name]) as
      | { value: string }
      | undefined;
    return row?.value;
  }

  setFact(name: string, value: string): void {
    this.#sql("INSERT OR REPLACE INTO fact VALUES (?, ?)").run([name, value]);
  }

  /** Makes this process a worker that others can see. */
  join(): number {
    const { pid, host, birth } = thisProcess();
    const { lastInsertRowid } = this.#sql(
      "INSERT INTO worker (pid, host, birth, since) VALUES (?, ?, ?, ?)",
    ).run([pid, host, birth, new Date().toISOString()]);
    this.#worker = Number(lastInsertRowid);
    return this.#worker;
  }

  workers(): (Living & { number: number; since: string; claims: number })[] {
    const rows = this.#sql(
      "SELECT w.*, (SELECT count(*) FROM claim c WHERE c.worker = w.number) AS claims FROM worker w ORDER BY number",
    );
    return rows.all([]) as (Living & { number: number; since: string; claims: number })[];
  }

  /** Workers that ended without saying so. */
  dead(): Living[] {
    return this.workers().filter((worker) => worker.number !== this.#worker && !isAlive(worker));
  }

  /** Takes dead workers off the list; the runs that they had taken are nobody's. */
  buryDead(): void {
    for (const worker of this.workers()) {
      if (worker.number === this.#worker || isAlive(worker)) continue;
      this.#sql("UPDATE claim SET worker = ? WHERE worker = ?").run([NOBODY, worker.number]);
      this.#sql("DELETE FROM worker WHERE number = ?").run([worker.number]);
    }
  }

  /** Points past those that the caller has. */
  pointsFrom(number: number): ProposedPoint[] {
    const rows = this.#sql("SELECT * FROM point WHERE number >= ? ORDER BY number").all([number]);
    return (rows as PointRow[]).map((row) => ({
      number: row.number,
      params: JSON.parse(row.params) as Params,
      journalBytes: row.journal_bytes,
      isAsked: row.is_asked === 1,
      handed: row.handed,
    }));
  }

  addPoint({ number, params, journalBytes, isAsked, handed }: ProposedPoint): void {
    this.#sql("INSERT INTO point VALUES (?, ?, ?, ?, ?, NULL, NULL)").run([
      number,
      JSON.stringify(params),
      journalBytes,
      isAsked ? 1 : 0,
      handed,
    ]);
  }

  /** The rest of a point's runs is not worth doing. */
  cutPoint({ number, why, journalBytes }: Cut): void {
    this.#sql("UPDATE point SET cut = ?, cut_bytes = ? WHERE number = ?").run([why, journalBytes, number]);
  }

  cuts(): Cut[] {
    const rows = this.#sql(
      "SELECT number, cut AS why, cut_bytes AS journalBytes FROM point WHERE cut IS NOT NULL",
    ).all([]);
    return rows as Cut[];
  }

  handedOf(number: number): number {
    const row = this.#sql("SELECT handed FROM point WHERE number = ?").get([number]);
    return (row as PointRow).handed;
  }

  setHanded(number: number, handed: number): void {
    this.#sql("UPDATE point SET handed = ? WHERE number = ?").run([handed, number]);
  }

  /** Every point is looked through again, for runs that failed before. */
  handOutAgain(): void {
    this.#db.exec("UPDATE point SET handed = 0");
  }

  /** What is taken now, by others too. */
  claims(): Claim[] {
    const rows = this.#sql("SELECT run, worker, since_ms FROM claim").all([]);
    return (rows as { run: string; worker: number; since_ms: number }[]).map((row) => ({
      run: JSON.parse(row.run) as Run,
      worker: row.worker,
      sinceMs: row.since_ms,
    }));
  }

  /** Runs that a worker holds, this one included. */
  countClaims(): number {
    const row = this.#sql("SELECT count(*) AS n FROM claim").get([]);
    return (row as { n: number }).n;
  }

  /** Whether some worker holds the run, or one that died did. */
  isTaken(run: Pick<Run, "id">): boolean {
    return this.#sql("SELECT 1 FROM claim WHERE hash = ?").get([hashOf(run.id)]) !== undefined;
  }

  take(run: Run): void {
    this.#sql("INSERT OR REPLACE INTO claim VALUES (?, ?, ?, ?)").run([
      hashOf(run.id),
      JSON.stringify(run),
      this.#worker!,
      Date.now(),
    ]);
  }

  /** Takes over a run whose worker died. */
  takeLeft(): Run | undefined {
    const row = this.#sql("SELECT run FROM claim WHERE worker = ? LIMIT 1").get([NOBODY]);
    if (row === undefined) return undefined;
    const run = JSON.parse((row as { run: string }).run) as Run;
    this.take(run);
    return run;
  }

  release(run: Pick<Run, "id">): void {
    this.#sql("DELETE FROM claim WHERE hash = ?").run([hashOf(run.id)]);
  }

  /** Whoever comes next may take the run. */
  giveBack(run: Pick<Run, "id">): void {
    this.#sql("UPDATE claim SET worker = ? WHERE hash = ?").run([NOBODY, hashOf(run.id)]);
  }

  /** Takes this worker off the list; what it still holds is nobody's. */
  close(): void {
    if (this.#worker !== undefined)
      this.exclusively(() => {
        this.#sql("UPDATE claim SET worker = ? WHERE worker = ?").run([NOBODY, this.#worker!]);
        this.#sql("DELETE FROM worker WHERE number = ?").run([this.#worker!]);
      });
    this.#db.close();
  }
}

interface PointRow {
  number: number;
  params: string;
  journal_bytes: number;
  is_asked: number;
  handed: number;
}
