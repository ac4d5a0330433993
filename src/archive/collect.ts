import { closeSync, mkdirSync, openSync, readdirSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { CsvTable } from "./csv-table.ts";
import { hasJournal, readFolder } from "./read-folder.ts";
import { forEachRecord, readStudyFile } from "./read-records.ts";
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

/** Gathers all runs of a study into one CSV, one row a run. */
export function collect(studyDir: string, options: CollectOptions = {}): Collected {
  const from = options.from ?? (hasJournal(studyDir) ? "journal" : "folders");
  const unreadable: string[] = [];
  const table = from === "journal" ? fromJournal(studyDir) : fromFolders(studyDir, unreadable);
  const path = options.outCsv ?? `${studyDir}/aggregate/runs.csv`;
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(`${path}.tmp`, "w");
  for (const chunk of table.chunks()) writeSync(file, chunk);
  closeSync(file);
  renameSync(`${path}.tmp`, path);
  return { path, rows: table.length, from, unreadable };
}

function fromJournal(studyDir: string): CsvTable {
  const table = new CsvTable();
  const rows = new Map<string, number>();
  const flags = flagNames(readStudyFile(studyDir)?.study.variants ?? []);
  forEachRecord(studyDir, (record) => {
    rows.set(record.id, table.put(rowOf(record, studyDir, flags), rows.get(record.id)));
  });
  return table;
}

function fromFolders(studyDir: string, unreadable: string[]): CsvTable {
  const table = new CsvTable();
  for (const id of readdirSync(`${studyDir}/runs`).sort()) {
    const row = readFolder(`${studyDir}/runs/${id}`);
    if (row) table.put(row);
    else unreadable.push(id);
  }
  return table;
}
