import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import {
  currentRecords,
  findStudy,
  latestRecords,
  listStudies,
  readStudyFile,
} from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import { OK, type RunRecord } from "../core/run.ts";
import { RUN_FILES, runDir, STUDY_FILES, type StudyFile } from "../core/study-folder.ts";
import { nearest } from "../core/suggest.ts";
import { readJsonIfAny } from "../host/files.ts";

/** A run, and where its series would be. */
export interface RunSource {
  record: RunRecord;
  seriesPath: string;
}

export interface Sources {
  name: string;
  /** Undefined for a list of runs. */
  study: StudyFile | undefined;
  /** The study's folder; empty for a list of runs. */
  dir: string;
  isList: boolean;
  runs: RunSource[];
}

/**
 * The runs that words on a command line name: one study (its folder or name), or a list of runs, each by id, by its
 * folder, or by a file of JSON lines that any program wrote.
 */
export function findSources(words: readonly string[], outRoot?: string): Sources {
  if (words.length === 0)
    throw new UserError("no study was named", {
      remedy: "Name one: its folder, or its name below --out-root.",
    });
  const runs = words.length > 1 || isRun(words[0]!);
  if (runs) {
    const known = once(() =>
      listStudies(outRoot).flatMap((dir) => latestRecords(dir).map((record) => ({ dir, record }))),
    );
    const found = words.map((word) => findRun(word, known));
    const twice = found.find(
      ({ seriesPath }, i) => found.findIndex((run) => run.seriesPath === seriesPath) < i,
    );
    if (twice)
      throw new UserError(`${twice.record.id} is named twice`, {
        remedy: "Listing a run twice would count it twice.",
      });
    return { name: `${found.length} runs`, study: undefined, dir: "", isList: true, runs: found };
  }
  const studyDir = findStudy(words[0]!, outRoot);
  const study = readStudyFile(studyDir);
  return {
    name: study?.name ?? basename(studyDir),
    study,
    dir: studyDir,
    isList: false,
    runs: currentRecords(studyDir).map((record) => ({ record, seriesPath: seriesOf(studyDir, record.id) })),
  };
}

function isRun(word: string): boolean {
  if (!existsSync(word)) return false;
  return (
    statSync(word).isFile() ||
    (existsSync(join(word, RUN_FILES.series)) && !existsSync(join(word, STUDY_FILES.runs)))
  );
}

type Known = () => { dir: string; record: RunRecord }[];

function findRun(word: string, known: Known): RunSource {
  const path = resolve(word);
  if (existsSync(path)) {
    if (statSync(path).isFile()) return { record: bareRecord(word), seriesPath: path };
    if (existsSync(join(path, STUDY_FILES.journal)))
      throw new UserError(`${word} is a study`, { expected: "one study, or a list of runs" });
    const studyDir = dirname(dirname(path));
    const record =
      latestRecords(studyDir).find(({ id }) => id === basename(path)) ??
      readMeta(path) ??
      bareRecord(basename(path));
    return { record, seriesPath: join(path, RUN_FILES.series) };
  }
  return findById(word, known());
}

function findById(word: string, all: ReturnType<Known>): RunSource {
  const found = all.filter(({ record: { id } }) => id === word || id.startsWith(word) || id.endsWith(word));
  if (found.length === 1)
    return { record: found[0]!.record, seriesPath: seriesOf(found[0]!.dir, found[0]!.record.id) };
  const near = nearest(
    word,
    all.map(({ record }) => record.id),
  );
  throw new UserError(
    found.length > 1 ? `"${word}" could be ${found.length} runs` : `there is no run "${word}"`,
    {
      expected: "one study, or runs by id, folder or file of JSON lines",
      remedy: near.length > 0 ? `Near: ${near.join(", ")}.` : "`assay query STUDY` lists a study's runs.",
    },
  );
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function seriesOf(studyDir: string, id: string): string {
  return `${runDir(studyDir, id)}/${RUN_FILES.series}`;
}

/** A run of which nothing is known but its files. */
export function bareRecord(name: string): RunRecord {
  return {
    ...{ id: name, params: {}, variant: "baseline", flags: [], seed: 0, task: null, repeat: 0 },
    ...{ program: "", attempt: 1, outcome: OK, metrics: {}, startedAtMs: 0, wallMs: Number.NaN },
  };
}

/** A folder that a study's journal does not know. */
function readMeta(dir: string): RunRecord | undefined {
  const meta = readJsonIfAny<Partial<RunRecord>>(join(dir, RUN_FILES.meta), { isForeign: true });
  return meta && { ...bareRecord(basename(dir)), params: meta.params ?? {}, metrics: meta.metrics ?? {} };
}
