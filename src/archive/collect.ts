import { closeSync, existsSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { HashTable } from "../core/hash.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import { makeFolders, openFile, startReplacing } from "../host/files.ts";
import { ByteSink } from "./byte-sink.ts";
import { collectFolders } from "./collect-folders.ts";
import { Columns } from "./columns.ts";
import { runFolders } from "./folder-study.ts";
import { JournalLines, type LineSetting, recordIn } from "./journal-lines.ts";
import type { FolderFacts } from "./read-folder.ts";
import { isCurrent, readStudyFile } from "./read-records.ts";
import { flagColumns, rowOf } from "./row.ts";

export interface CollectOptions {
  /** "journal" (the default where there is one) or "folders". */
  from?: "journal" | "folders";
  /** Default: aggregate/runs.csv in the study's folder. */
  outCsv?: string;
}

export interface Collected {
  path: string;
  rows: number;
  from: "journal" | "folders";
  /** Run folders that could not be read. */
  unreadable: string[];
  columns: string[];
  /** Those that hold texts, whatever those look like. */
  textColumns: string[];
}

const SAMPLE = 200;

/** Gathers the runs of a study, as it was last launched, into one CSV, one row per run, whole or not at all. */
export async function collect(studyDir: string, options: CollectOptions = {}): Promise<Collected> {
  const from = options.from ?? (existsSync(`${studyDir}/${STUDY_FILES.journal}`) ? "journal" : "folders");
  const path = options.outCsv ?? `${studyDir}/${STUDY_FILES.table}`;
  makeFolders(dirname(path));
  // It can be made again, and may be large: not worth a wait for the disk.
  const replacement = startReplacing(path, { isDurable: false });
  try {
    const gathered =
      from === "journal"
        ? { ...collectJournal(studyDir, replacement.file), unreadable: [] }
        : await collectFolders(
            { studyDir, ids: runFolders(studyDir), ...factsOf(studyDir) },
            replacement.file,
          );
    replacement.finish();
    return { path, from, ...gathered };
  } finally {
    replacement.drop();
  }
}

function factsOf(studyDir: string): FolderFacts {
  const study = readStudyFile(studyDir);
  return { flags: flagColumns(study?.study), program: study?.program ?? "" };
}

/**
 * Tries the quick way first: columns from the first runs, lines judged by their ends. Where a later run brings a
 * new column, or a line is broken in its middle, all lines are read for what was missed.
 */
function collectJournal(studyDir: string, file: number): Pick<Collected, "rows" | "columns" | "textColumns"> {
  const study = readStudyFile(studyDir);
  const flags = flagColumns(study?.study);
  // Runs of parameters or programs that it had once are left out; whether there can be any, the launches tell.
  const plans = new Set(study?.launches.map((launch) => launch.plan));
  const keep = study && plans.size > 1 ? isCurrent(study) : undefined;
  const path = `${studyDir}/${STUDY_FILES.journal}`;
  const look: OnLine = (bytes, start, end) => {
    const record = recordIn(bytes, start, end);
    return record !== undefined && (keep === undefined || keep(record));
  };
  let journal: NewestLines | OnlyLines = keep ? new NewestLines(path, look) : new OnlyLines(path);
  let sample = SAMPLE;
  for (;;) {
    const columns = new Columns();
    let seen = 0;
    journal.walk((bytes, start, end) => {
      const record = recordIn(bytes, start, end);
      if (record) columns.learn(rowOf(record, studyDir, flags));
      return ++seen < sample;
    });
    const result = writeLines(journal, file, { studyDir, flags, columns });
    if (journal instanceof OnlyLines && journal.hasRepeats) {
      journal = new NewestLines(path);
      continue;
    }
    if (typeof result === "number") return { rows: result, ...namesOf(columns) };
    if (result === "unknown column") sample = Number.POSITIVE_INFINITY;
    else journal = new NewestLines(path, look);
  }
}

function namesOf({ names, texts }: Columns): Pick<Collected, "columns" | "textColumns"> {
  return { columns: names, textColumns: names.filter((_, i) => texts[i]) };
}

/** Gives the number of rows, or what was in the way. */
function writeLines(
  journal: NewestLines | OnlyLines,
  file: number,
  setting: LineSetting,
): number | "unknown column" | "broken" {
  const lines = new JournalLines(setting);
  const sink = new ByteSink(file);
  let rows = 0;
  let trouble: "unknown column" | "broken" | undefined;
  sink.text(setting.columns.header);
  journal.walk((bytes, start, end) => {
    const outcome = lines.convert(bytes, start, end, sink);
    if (outcome === "written") rows++;
    else trouble = outcome;
    return trouble === undefined;
  });
  sink.flush();
  return trouble ?? rows;
}

const CHUNK_BYTES = 1 << 22;
const NEWLINE = 10;
const QUOTE = 34;
const BRACE_CLOSE = 125;
const ID_START = Buffer.from('{"id":"');

export type OnLine = (bytes: Buffer, start: number, end: number) => boolean;

/** The newest line of each run of a journal; runs that were done again have older ones, which are passed over. */
class NewestLines {
  readonly #path: string;
  readonly #newest = new HashTable();

  /** `isSound` looks closer at each line, where a quick look has been found not to be enough. */
  constructor(path: string, isSound: OnLine = () => true) {
    this.#path = path;
    forEachLine(path, (bytes, start, end, offset) => {
      const hash = hashAt(bytes, start, end);
      if (hash >= 0 && isSound(bytes, start, end)) this.#newest.set(hash, offset);
      return true;
    });
  }

  /** Hands lines over in file order, each as a stretch of a larger buffer, until `onLine` returns false. */
  walk(onLine: OnLine): void {
    forEachLine(this.#path, (bytes, start, end, offset) => {
      const hash = hashAt(bytes, start, end);
      return hash < 0 || this.#newest.get(hash) !== offset || onLine(bytes, start, end);
    });
  }
}

/**
 * All lines of a journal in which every run stands once, as in most: then no line needs to be looked up first.
 * `hasRepeats` tells, after a walk, that it was not so.
 */
class OnlyLines {
  readonly #path: string;
  hasRepeats = false;

  constructor(path: string) {
    this.#path = path;
  }

  walk(onLine: OnLine): void {
    const seen = new HashTable();
    forEachLine(this.#path, (bytes, start, end) => {
      const hash = hashAt(bytes, start, end);
      if (hash < 0) return true;
      this.hasRepeats ||= seen.get(hash) !== undefined;
      seen.set(hash, 1);
      return !this.hasRepeats && onLine(bytes, start, end);
    });
  }
}

/** The 48 bits at the end of the id that a record begins with; -1 for a line that is not a record. */
function hashAt(bytes: Buffer, start: number, end: number): number {
  for (let i = 0; i < ID_START.length; i++) if (bytes[start + i] !== ID_START[i]) return -1;
  const close = bytes.indexOf(QUOTE, start + ID_START.length);
  if (bytes[end - 1] !== BRACE_CLOSE || close < 0 || close > end) return -1;
  let hash = 0;
  for (let i = close - 12; i < close; i++) {
    const byte = bytes[i]!;
    hash = hash * 16 + (byte < 58 ? byte - 48 : byte - 87);
  }
  return hash;
}

function forEachLine(
  path: string,
  onLine: (bytes: Buffer, start: number, end: number, offset: number) => boolean,
): void {
  const file = openFile(path);
  let buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  /** Bytes of an unfinished line at the start of the buffer, and where in the file they stand. */
  let carried = 0;
  let offset = 0;
  try {
    for (;;) {
      const read = readSync(file, buffer, carried, buffer.length - carried, null);
      if (read === 0) {
        // Whole but for its newline: counts, as it does for everybody who reads journals.
        if (carried > 0) onLine(buffer, 0, carried, offset);
        return;
      }
      const filled = carried + read;
      let start = 0;
      for (
        let end = buffer.indexOf(NEWLINE);
        end >= 0 && end < filled;
        end = buffer.indexOf(NEWLINE, start)
      ) {
        if (!onLine(buffer, start, end, offset + start)) return;
        start = end + 1;
      }
      carried = filled - start;
      offset += start;
      if (carried === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
      else buffer.copy(buffer, 0, start, filled);
    }
  } finally {
    closeSync(file);
  }
}
