import Database from "libsql";
import { errorText, MachineError } from "../../core/errors.ts";
import type { Params } from "../../core/params.ts";
import { hashOf, type Run } from "../../core/run.ts";
import { STUDY_FILES } from "../../core/study-folder.ts";
import { isAlive, type Living, thisProcess } from "../../host/processes.ts";

/** How long a worker waits for the others' transactions, which take microseconds each. */
const BUSY_MS = 60_000;

/** Of a worker on another machine only its own word tells that it lives; after so long a silence it counts as dead. */
const SILENT_MS = 60_000;

export type SearchState = "open" | "paused" | "finished";

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

/** A run that some worker has taken and not recorded yet. */
export interface Claim {
  run: Run;
  worker: number;
  sinceMs: number;
}

/** A process that takes part, with when it was last heard of. */
export interface Worker extends Living {
  number: number;
  since: string;
  claims: number;
  beatMs: number;
}

const NOBODY = 0;

function open(path: string): Database.Database {
  try {
    const db = new Database(path, { timeout: BUSY_MS });
    db.pragma("journal_mode = WAL");
    return db;
  } catch (error) {
    throw new MachineError(`${path} can't be opened (${errorText(error)}). Mend it, or move it away.`);
  }
}

/**
 * sweep.db (a name that older studies have): which points there are and who works on which run. The journal stays the truth about what ended; this
 * file only keeps workers out of each other's way. Everything happens in transactions that exclude each other, so
 * a worker may be killed anywhere.
 */
export class Ledger {
  readonly #db: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();
  readonly #me: Living;
  readonly #nowMs: () => number;
  #worker: number | undefined;

  constructor(studyDir: string, { me = thisProcess(), nowMs = Date.now } = {}) {
    this.#me = me;
    this.#nowMs = nowMs;
    this.#db = open(`${studyDir}/${STUDY_FILES.ledger}`);
    // A power cut may take the newest claims; the journal, which is synced, tells what they came to.
    this.#db.pragma("synchronous = NORMAL");
    this.#db.exec(`
      CREATE TABLE IF NOT EXISTS fact (name TEXT PRIMARY KEY, value TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS worker (number INTEGER PRIMARY KEY, pid INTEGER NOT NULL, host TEXT NOT NULL, birth TEXT NOT NULL, since TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS beat (worker INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL);
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

  get state(): SearchState {
    return (this.fact("state") as SearchState | undefined) ?? "open";
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
    const { pid, host, birth } = this.#me;
    const { lastInsertRowid } = this.#sql(
      "INSERT INTO worker (number, pid, host, birth, since) VALUES (?, ?, ?, ?, ?)",
    ).run([this.#worker ?? null, pid, host, birth, new Date(this.#nowMs()).toISOString()]);
    this.#worker = Number(lastInsertRowid);
    this.#sql("INSERT OR REPLACE INTO beat VALUES (?, ?)").run([this.#worker, this.#nowMs()]);
    return this.#worker;
  }

  /** Says that this worker lives; one that slept so long that it was buried comes back without what it had taken. */
  beat(): void {
    const isListed = this.#sql("SELECT 1 FROM worker WHERE number = ?").get([this.#worker!]) !== undefined;
    if (isListed) this.#sql("UPDATE beat SET at_ms = ? WHERE worker = ?").run([this.#nowMs(), this.#worker!]);
    else this.join();
  }

  workers(): Worker[] {
    const rows = this.#sql(
      `SELECT w.*, coalesce(b.at_ms, 0) AS beatMs, (SELECT count(*) FROM claim c WHERE c.worker = w.number) AS claims
       FROM worker w LEFT JOIN beat b ON b.worker = w.number ORDER BY w.number`,
    );
    return rows.all([]) as Worker[];
  }

  /** Workers other than this one that live. */
  others(): Worker[] {
    return this.workers().filter((worker) => worker.number !== this.#worker && this.#lives(worker));
  }

  /** Workers that ended without saying so. */
  dead(): Worker[] {
    return this.workers().filter((worker) => worker.number !== this.#worker && !this.#lives(worker));
  }

  /** Takes dead workers off the list; the runs that they had taken are nobody's. */
  buryDead(): void {
    for (const { number } of this.dead()) this.#bury(number);
  }

  /** On this machine the kernel knows, elsewhere the worker itself has to say so. */
  #lives(worker: Worker): boolean {
    if (worker.host === this.#me.host) return isAlive(worker);
    return Math.abs(this.#nowMs() - worker.beatMs) < SILENT_MS;
  }

  #bury(number: number): void {
    this.#sql("UPDATE claim SET worker = ? WHERE worker = ?").run([NOBODY, number]);
    this.#sql("DELETE FROM worker WHERE number = ?").run([number]);
    this.#sql("DELETE FROM beat WHERE worker = ?").run([number]);
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
    const rows = this.#sql("SELECT run, worker, since_ms FROM claim WHERE worker <> ?").all([NOBODY]);
    return (rows as { run: string; worker: number; since_ms: number }[]).map((row) => ({
      run: JSON.parse(row.run) as Run,
      worker: row.worker,
      sinceMs: row.since_ms,
    }));
  }

  /** Runs that a worker holds, this one included, or that somebody left. */
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
      this.#nowMs(),
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

  /** Nobody has to do the run; one that others took over meanwhile stays theirs. */
  release(run: Pick<Run, "id">): void {
    this.#sql("DELETE FROM claim WHERE hash = ? AND worker IN (?, ?)").run([
      hashOf(run.id),
      this.#worker!,
      NOBODY,
    ]);
  }

  /** Whoever comes next may take the run. */
  giveBack(run: Pick<Run, "id">): void {
    this.#sql("UPDATE claim SET worker = ? WHERE hash = ? AND worker = ?").run([
      NOBODY,
      hashOf(run.id),
      this.#worker!,
    ]);
  }

  /** Takes this worker off the list; what it still holds is nobody's. */
  close(): void {
    if (this.#worker !== undefined) this.exclusively(() => this.#bury(this.#worker!));
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
