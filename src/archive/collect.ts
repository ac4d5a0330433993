import { closeSync, existsSync, mkdirSync, openSync, readdirSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import type { RunRecord } from "../core/run.ts";
import { ByteSink } from "./byte-sink.ts";
import { collectFolders } from "./collect-folders.ts";
import { Columns } from "./columns.ts";
import { JournalLines, type LineSetting } from "./journal-lines.ts";
import { NewestLines } from "./newest-lines.ts";
import { readStudyFile } from "./read-records.ts";
import { flagNames, rowOf } from "./row.ts";

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
}

const SAMPLE = 200;

/** Gathers all runs of a study into one CSV, one row a run, whole or not at all. */
export async function collect(studyDir: string, options: CollectOptions = {}): Promise<Collected> {
  const from = options.from ?? (existsSync(`${studyDir}/journal.jsonl`) ? "journal" : "folders");
  const path = options.outCsv ?? `${studyDir}/aggregate/runs.csv`;
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(`${path}.tmp`, "w");
  try {
    if (from === "journal") return { path, rows: collectJournal(studyDir, file), from, unreadable: [] };
    return { path, from, ...(await collectFolders(studyDir, readdirSync(`${studyDir}/runs`).sort(), file)) };
  } finally {
    closeSync(file);
    renameSync(`${path}.tmp`, path);
  }
}

/** Columns are learnt from the first runs; where a later run brings a new one, from all of them. */
function collectJournal(studyDir: string, file: number): number {
  const flags = flagNames(readStudyFile(studyDir)?.study.variants ?? []);
  const journal = new NewestLines(`${studyDir}/journal.jsonl`);
  for (const most of [SAMPLE, Number.POSITIVE_INFINITY]) {
    const columns = new Columns();
    let seen = 0;
    journal.walk((bytes, start, end) => {
      const record = JSON.parse(bytes.toString("utf8", start, end)) as RunRecord;
      columns.learn(rowOf(record, studyDir, flags));
      return ++seen < most;
    });
    const rows = writeLines(journal, file, { studyDir, flags, columns });
    if (rows !== undefined) return rows;
  }
  throw new Error("the journal changed its columns while it was read twice");
}

/** Gives the number of rows, or undefined when a run had an unknown column. */
function writeLines(journal: NewestLines, file: number, setting: LineSetting): number | undefined {
  const lines = new JournalLines(setting);
  const sink = new ByteSink(file);
  let rows: number | undefined = 0;
  sink.text(setting.columns.header);
  journal.walk((bytes, start, end) => {
    if (rows !== undefined && lines.convert(bytes, start, end, sink)) rows++;
    else rows = undefined;
    return rows !== undefined;
  });
  sink.flush();
  return rows;
}
