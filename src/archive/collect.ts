import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { RunRecord } from "../core/run.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import { makeFolders, startReplacing } from "../host/files.ts";
import { ByteSink } from "./byte-sink.ts";
import { collectFolders } from "./collect-folders.ts";
import { Columns } from "./columns.ts";
import { runFolders } from "./folder-study.ts";
import { JournalLines, type LineSetting, recordIn } from "./journal-lines.ts";
import { NewestLines, type OnLine, OnlyLines } from "./newest-lines.ts";
import type { FolderFacts } from "./read-folder.ts";
import { readStudyFile } from "./read-records.ts";
import { flagColumns, rowOf } from "./row.ts";

export interface CollectOptions {
  /** "journal" (the default where there is one) or "folders". */
  from?: "journal" | "folders";
  /** Default: aggregate/runs.csv in the study's folder. */
  outCsv?: string;
  /** Only runs of the journal for which this holds. Default: all. */
  keep?: (record: RunRecord) => boolean;
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

/** Gathers all runs of a study into one CSV, one row per run, whole or not at all. */
export async function collect(studyDir: string, options: CollectOptions = {}): Promise<Collected> {
  const from = options.from ?? (existsSync(`${studyDir}/${STUDY_FILES.journal}`) ? "journal" : "folders");
  const path = options.outCsv ?? `${studyDir}/${STUDY_FILES.table}`;
  makeFolders(dirname(path));
  // It can be made again, and may be large: not worth a wait for the disk.
  const replacement = startReplacing(path, { isDurable: false });
  try {
    const gathered =
      from === "journal"
        ? { ...collectJournal(studyDir, replacement.file, options.keep), unreadable: [] }
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
function collectJournal(
  studyDir: string,
  file: number,
  keep: CollectOptions["keep"],
): Pick<Collected, "rows" | "columns" | "textColumns"> {
  const flags = flagColumns(readStudyFile(studyDir)?.study);
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
