import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { describeImport } from "../archive/imports/describe-import.ts";
import {
  absentRecords,
  countAsFailed,
  identify,
  keepTrajectory,
  recordOf,
  refuseAfterCounting,
  saysTheSame,
} from "../archive/imports/import-record.ts";
import { numberRollouts } from "../archive/imports/number-repeats.ts";
import { type ImportBy, type ReadTrial, readTrials } from "../archive/imports/read-trials.ts";
import { isStudy, readStudyFile } from "../archive/read-records.ts";
import { isOfAgent } from "../core/agent-run.ts";
import { UserError } from "../core/errors.ts";
import { JournalReader } from "../core/read-journal.ts";
import { createRedactor, type Redactor } from "../core/redact.ts";
import { hashOf, type RunRecord } from "../core/run.ts";
import { IMPORT_DIALECT, STUDY_FILES, type StudyFile } from "../core/study-folder.ts";
import type { Warning } from "../core/warning.ts";
import { Journal } from "../engine/journal.ts";
import { replaceFile } from "../host/files.ts";
import { Lock } from "../host/lock.ts";
import { makeFolder } from "../launch/launch-folder.ts";

export interface ImportRequest {
  /** Default: the last part of the first path. */
  name?: string;
  outRoot?: string;
  /** Only files of this format are read. */
  format?: string;
  /** Parameters of all that is read now: the model or the agent that its files don't name. */
  set?: Record<string, string>;
  /** What tells systems apart where their files don't: the folder that they lie in. */
  by?: ImportBy;
  /** "failed": what has no result counts as a failure, as leaderboards do. */
  missing?: "failed";
}

export interface ImportSummary {
  name: string;
  studyDir: string;
  /** Trials that are new, that have changed since they were read before, and that are as they were. */
  added: number;
  changed: number;
  known: number;
  /** Trials of the study now, and how many of them have no verdict. */
  total: number;
  missing: number;
  /** Runs that count as failed for want of a result. */
  counted: number;
  formats: Record<string, number>;
  warnings: Warning[];
}

const DEFAULT_ROOT = "bench_runs";

/** Results of other tools become runs of a study. Doing it again adds nothing; other results join the same study. */
export async function importResults(
  paths: readonly string[],
  { name = nameOf(paths[0]!), outRoot = DEFAULT_ROOT, format, set = {}, by, missing }: ImportRequest = {},
): Promise<ImportSummary> {
  const { trials, warnings } = readTrials(paths, {
    ...(format !== undefined && { format }),
    ...(by && { by }),
  });
  if (trials.length === 0)
    throw new UserError(`${paths.join(", ")}: no trial can be read`, {
      got: warnings
        .slice(0, 3)
        .map(({ text }) => text)
        .join("; "),
    });
  const studyDir = join(outRoot, name);
  const before = importedBefore(studyDir);
  makeFolder(studyDir);
  const redactor = createRedactor(process.env);
  const lock = await Lock.take(studyDir, redactor.text);
  try {
    const { records, ...counts } = addTrials(studyDir, trials, { redactor, set, missing });
    if (counts.added + counts.changed > 0 || !before) {
      const command = ["assay", ...process.argv.slice(2)].join(" ");
      const from = paths.map((path) => resolve(path));
      const file = describeImport(records, { name, outRoot, command, paths: from }, before?.launches ?? []);
      replaceFile(`${studyDir}/${STUDY_FILES.study}`, `${redactor.toJson(file, 2)}\n`);
    }
    return {
      ...{ name, studyDir, ...counts },
      total: records.length,
      missing: records.filter(isUnmeasured).length,
      counted: records.filter(({ labels }) => labels?.counted !== undefined).length,
      formats: countFormats(trials),
      warnings,
    };
  } finally {
    lock.release();
  }
}

/** A study that somebody ran is no place for what others measured. */
function importedBefore(studyDir: string): StudyFile | undefined {
  if (!isStudy(studyDir)) return undefined;
  const file = readStudyFile(studyDir);
  if (file?.spec.dialect === IMPORT_DIALECT) return file;
  throw new UserError(`${studyDir} holds runs that were not imported`, {
    remedy: "Name another study: --name NAME.",
  });
}

function addTrials(
  studyDir: string,
  trials: readonly ReadTrial[],
  {
    redactor,
    set,
    missing,
  }: { redactor: Redactor } & Required<Pick<ImportRequest, "set">> & {
      missing: ImportRequest["missing"] | undefined;
    },
): Pick<ImportSummary, "added" | "changed" | "known"> & { records: RunRecord[] } {
  const path = `${studyDir}/${STUDY_FILES.journal}`;
  const records = new Map<string, RunRecord>();
  const reader = new JournalReader((record) => records.set(hashOf(record.id), record));
  if (existsSync(path)) reader.push(readFileSync(path));
  const journal = new Journal(path, reader.end(), redactor);
  const counts = { added: 0, changed: 0, known: 0 };
  try {
    const fresh: RunRecord[] = [];
    const isFailed = missing === "failed";
    const identified = trials.map((trial) => identify(trial, set));
    const numberedTrials = numberRollouts(identified, records.values());
    refuseAfterCounting(numberedTrials, records.values());
    for (const numbered of numberedTrials) {
      const before = records.get(numbered.hash);
      const found = recordOf(numbered, before);
      const record = isFailed ? countAsFailed(found) : found;
      const kind = before === undefined ? "added" : saysTheSame(record, before) ? "known" : "changed";
      counts[kind]++;
      if (kind === "known") continue;
      if (numbered.trial.trajectory !== undefined)
        keepTrajectory(studyDir, record, numbered.trial.trajectory);
      fresh.push(record);
      records.set(numbered.hash, record);
    }
    const absent = isFailed ? absentRecords([...records.values()]) : [];
    for (const record of absent) records.set(hashOf(record.id), record);
    counts.added += absent.length;
    journal.append([...fresh, ...absent]);
  } finally {
    journal.close();
  }
  return { ...counts, records: [...records.values()] };
}

/** An agent's try that was not graded, or a benchmark without a result. */
function isUnmeasured({ params, metrics, outcome }: RunRecord): boolean {
  return isOfAgent(params) ? (metrics.score ?? null) === null : outcome.status !== "ok";
}

function countFormats(trials: readonly ReadTrial[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { format } of trials) counts[format] = (counts[format] ?? 0) + 1;
  return counts;
}

/** A folder's or a file's name, as far as it can be a folder's here. */
function nameOf(path: string): string {
  const name = basename(resolve(path)).replace(/\.(jsonl?|eval)$/, "");
  return name.replaceAll(/[^\w.@+-]+/g, "-").replace(/^[-.]+/, "") || "imported";
}
