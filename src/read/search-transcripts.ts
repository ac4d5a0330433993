import { rmSync, statSync } from "node:fs";
import { basename } from "node:path";
import Database from "libsql";
import { latestRecords } from "../archive/read-records.ts";
import { parseTrajectory } from "../archive/trajectories/read-trajectory-file.ts";
import type { RunRecord } from "../core/run.ts";
import { RUN_FILES, STUDY_FILES } from "../core/study-folder.ts";
import type { Turn } from "../core/trajectory.ts";
import type { FoundTurns } from "../reporters/study-view.ts";
import { readInside, runFolder } from "./read-inside.ts";
import { isTrajectoryName } from "./run-view.ts";

const MOST_BYTES = 50_000_000;
const MOST_SHOWN = 50;
/** Nobody needs to know how many more: counting every turn of a large study would take seconds. */
const MOST_COUNTED = 10_000;
/** A text of a turn beyond this is not searched: somebody printed a file. */
const MOST_CHARS = 100_000;
const AROUND = 70;
/** The hit itself must be in sight where one line has room for 35 letters. */
const BEFORE = 10;
/** So long one question may read transcripts that are not in the index yet. */
const READ_MS = 400;
/** Another shape of the index is made anew. */
const FORMAT = 1;

interface Hit {
  run: string;
  file: string;
  turn: number;
}

/**
 * The transcripts of a study by their words: an index in its folder (SQLite, FTS5), which grows with the study and can be
 * deleted at any time. It has no copy of the texts; those around a hit are read from the run's own file.
 */
export class TranscriptIndex {
  readonly #studyDir: string;
  readonly #db: Database.Database;
  #listed: { stamp: string; records: readonly RunRecord[] } | undefined;
  /** The list of which every transcript is in the index. */
  #whole: readonly RunRecord[] | undefined;

  constructor(studyDir: string) {
    this.#studyDir = studyDir;
    const path = `${studyDir}/${STUDY_FILES.transcripts}`;
    try {
      this.#db = open(path);
    } catch {
      // Damaged, or of another shape: nothing in it can't be read again.
      for (const end of ["", "-wal", "-shm"]) rmSync(`${path}${end}`, { force: true });
      this.#db = open(path);
    }
  }

  close(): void {
    this.#db.close();
  }

  /** Reads transcripts that are not in the index yet until it is time to answer. */
  readOn(isLate: () => boolean): { read: number; of: number } {
    const records = this.#records();
    if (records === this.#whole) return { read: records.length, of: records.length };
    const known = new Set(
      this.#db
        .prepare("select run || char(10) || attempt as key from runs")
        .all()
        .map((row) => (row as { key: string }).key),
    );
    const missing = records.filter(({ id, attempt }) => !known.has(`${id}\n${attempt}`));
    let read = 0;
    while (read < missing.length && !isLate()) {
      const some = missing.slice(read, read + 20);
      this.#db.transaction(() => {
        for (const record of some) this.#add(record);
      })();
      read += some.length;
    }
    if (read === missing.length) this.#whole = records;
    return { read: records.length - missing.length + read, of: records.length };
  }

  /** The runs that left transcripts, read anew only when the journal has changed: a search must not wait for that. */
  #records(): readonly RunRecord[] {
    const stats = statSync(`${this.#studyDir}/${STUDY_FILES.journal}`, { throwIfNoEntry: false });
    const stamp = stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : "";
    if (this.#listed?.stamp !== stamp) {
      const records = latestRecords(this.#studyDir).filter(({ files = [] }) => files.some(isNamed));
      this.#listed = { stamp, records };
    }
    return this.#listed.records;
  }

  find(text: string): Pick<FoundTurns, "count" | "turns"> {
    const words = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
    if (words.length === 0) return { count: 0, turns: [] };
    // Quoted words are words, whatever FTS5's own language makes of them; the last may not be whole yet.
    const asked = `${words.map((word) => `"${word}"`).join(" ")}*`;
    const { count } = this.#db
      .prepare("select count(*) as count from (select rowid from words where words match ? limit ?)")
      .get(asked, MOST_COUNTED) as { count: number };
    const hits = this.#db
      .prepare(
        "select run, file, turn from turns where id in (select rowid from words where words match ? limit ?) order by id",
      )
      .all(asked, MOST_SHOWN) as Hit[];
    return { count, turns: hits.map((hit) => ({ ...hit, text: this.#around(hit, words) })) };
  }

  #add({ id, attempt, files = [] }: RunRecord): void {
    this.#db.prepare("delete from runs where run = ?").run(id);
    for (const { id: row } of this.#db.prepare("select id from turns where run = ?").all(id) as {
      id: number;
    }[])
      this.#db.prepare("delete from words where rowid = ?").run(row);
    this.#db.prepare("delete from turns where run = ?").run(id);
    this.#db.prepare("insert into runs (run, attempt) values (?, ?)").run(id, attempt);
    const addTurn = this.#db.prepare("insert into turns (run, file, turn) values (?, ?, ?)");
    const addWords = this.#db.prepare("insert into words (rowid, text) values (?, ?)");
    for (const path of files.filter(isNamed))
      for (const turn of this.#turnsOf(id, `${RUN_FILES.out}/${path}`)) {
        const { lastInsertRowid } = addTurn.run(id, `${RUN_FILES.out}/${path}`, turn.number);
        addWords.run(lastInsertRowid, textOf(turn).slice(0, MOST_CHARS));
      }
  }

  #turnsOf(run: string, path: string): Turn[] {
    const dir = runFolder(this.#studyDir, run);
    const text = dir && readInside(dir, path, { first: MOST_BYTES })?.text;
    if (!text) return [];
    const read = parseTrajectory(text, basename(path));
    return "trajectory" in read ? read.trajectory.turns : [];
  }

  #around({ run, file, turn }: Hit, words: readonly string[]): string {
    const found = this.#turnsOf(run, file).find(({ number }) => number === turn);
    if (!found) return "";
    const text = textOf(found).replaceAll(/\s+/g, " ");
    const at = Math.max(0, text.toLowerCase().indexOf(words[0]!.toLowerCase()));
    const start = at <= BEFORE ? 0 : text.lastIndexOf(" ", at - BEFORE) + 1;
    return `${start > 0 ? "… " : ""}${text.slice(Math.max(start, at - AROUND), at + 2 * AROUND)}`;
  }
}

const indexes = new Map<string, TranscriptIndex>();

/** The turns that have all words of a text; where many transcripts are new, what was read until the answer was due. */
export function searchTranscripts(studyDir: string, text: string): FoundTurns {
  const index = indexes.get(studyDir) ?? new TranscriptIndex(studyDir);
  indexes.set(studyDir, index);
  const until = performance.now() + READ_MS;
  const progress = index.readOn(() => performance.now() > until);
  return { ...index.find(text), ...progress };
}

function isNamed(path: string): boolean {
  return isTrajectoryName(`${RUN_FILES.out}/${path}`);
}

function textOf({ thought, action, observation, context }: Turn): string {
  return [thought, action, observation, context?.checkpoint].filter(Boolean).join("\n");
}

function open(path: string): Database.Database {
  const db = new Database(path);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = OFF");
  db.pragma("busy_timeout = 10000");
  const { user_version: format } = db.prepare("pragma user_version").get() as { user_version: number };
  if (format !== FORMAT) {
    if (format !== 0) throw new Error("another format");
    db.exec(`create table if not exists runs (run text primary key, attempt integer);
      create table if not exists turns (id integer primary key, run text, file text, turn integer);
      create index if not exists turns_run on turns (run);
      create virtual table if not exists words using fts5(text, content='', contentless_delete=1, prefix='1 2 3');
      pragma user_version = ${FORMAT};`);
  }
  return db;
}
