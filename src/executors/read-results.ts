import { readdirSync, rmSync } from "node:fs";
import { instanceMetrics, instancesIn } from "../archive/trajectories/instances.ts";
import { causeText, onOneLine } from "../core/errors.ts";
import { parseCsv, withoutMark } from "../core/escape.ts";
import { parsePythonJson } from "../core/python-text.ts";
import type { Attempt, Metrics } from "../core/run.ts";
import { readText } from "../host/files.ts";
import { kindAt } from "../host/held.ts";

/** A name such as `*.traj`: only then is the folder worth a second look. */
const MAY_BE_TRAJECTORY = /\.traj$|\.json$/;

export type Results = Required<Pick<Attempt, "metrics" | "labels" | "warnings" | "files">> & {
  /** Why a metric that was asked for is not there. */
  problem?: string;
};

const MOST_FILES = 1000;
const MOST_BYTES = 50_000_000;
const MOST_NAME = 1000;
const MOST_LABEL = 10_000;

/** What a program left in its out folder: numbers from metrics.json, summary.csv and tiers.csv. */
export function readResults(outDir: string): Results {
  const results: Results = { metrics: {}, labels: {}, warnings: [], files: [] };
  results.files = listFiles(outDir, results.warnings);
  for (const { find, read } of READERS) {
    let file: string | undefined;
    try {
      file = find(outDir).at(-1);
      const options = { mostBytes: MOST_BYTES, isForeign: true };
      if (file !== undefined) read(withoutMark(readText(`${outDir}/${file}`, options)), results);
    } catch (error) {
      results.warnings.push(`${file ?? "a result"} could not be read: ${causeText(error)}`);
    }
  }
  return results;
}

/** Takes away what `readResults` would read, so that nobody takes it for what comes next. */
export function clearResults(outDir: string): void {
  for (const file of READERS.flatMap(({ find }) => find(outDir))) rmSync(`${outDir}/${file}`);
}

interface Reader {
  /** Its files below the out folder, however many others lie beside them; the last one counts. */
  find(outDir: string): string[];
  read(text: string, results: Results): void;
}

/** The last one that names a metric has the word. */
const READERS: Reader[] = [
  { find: findWandbSummaries, read: readWandbSummary },
  { find: (outDir) => filesAt(outDir, ["summary.csv"]), read: readSummary },
  { find: (outDir) => filesAt(outDir, ["tiers.csv"]), read: readTiers },
  { find: (outDir) => filesAt(outDir, ["metrics.json"]), read: readMetricsJson },
];

/** What the library of that name leaves at its end: a folder for each of its runs, named by the time. */
function findWandbSummaries(outDir: string): string[] {
  const dir = `${outDir}/wandb`;
  const names = kindAt(dir) === "a folder" ? readdirSync(dir).sort() : [];
  // A link there leads to the newest of them, or elsewhere.
  const isReal = (path: string) => kindAt(path) === "a folder";
  const folders = names.filter((name) => isReal(`${dir}/${name}`) && isReal(`${dir}/${name}/files`));
  return filesAt(
    outDir,
    folders.map((name) => `wandb/${name}/files/wandb-summary.json`),
  );
}

function filesAt(outDir: string, paths: string[]): string[] {
  return paths.filter((path) => ![undefined, "a folder"].includes(kindAt(`${outDir}/${path}`)));
}

function readSummary(text: string, results: Results): void {
  const [row, more] = parseCsv(text);
  if (!row) throw new Error("it has no row");
  if (more) results.warnings.push("summary.csv has several rows; the first one is used");
  for (const [name, cell] of Object.entries(row)) addValue(name, cell, results);
}

/** One row per tier, kept as `{provider}_tier{id}_{metric}`. */
function readTiers(text: string, results: Results): void {
  for (const { provider, tier_id, ...cells } of parseCsv(text)) {
    for (const [name, cell] of Object.entries(cells))
      addValue(`${provider}_tier${tier_id}_${name}`, cell, results);
  }
}

function readMetricsJson(text: string, results: Results): void {
  addNested(parseJson(text), results);
}

/** Nested values get dotted names. */
export function addNested(values: unknown, results: Results): void {
  const visit = (value: unknown, name: string): void => {
    if (typeof value === "object" && value !== null) {
      for (const [key, item] of Object.entries(value)) visit(item, name === "" ? key : `${name}.${key}`);
    } else if (name === "") throw new Error("it holds no named values");
    else addValue(name, value, results);
  };
  visit(values, "");
}

/**
 * The library's own counters begin with an underscore; lists and media (`_type`) are no metrics. Our own module says in
 * `_assay` which number stands for a metric of which the program asked for its smallest, its mean and so on.
 */
function readWandbSummary(text: string, results: Results): void {
  const { _assay: plain = {}, ...summary } = parseJson(text) as Record<string, unknown>;
  const isMetric = ([name, value]: [string, unknown]) =>
    !name.startsWith("_") && !Array.isArray(value) && !isMedia(value);
  const kept = (values: object): object =>
    Object.fromEntries(
      Object.entries(values)
        .filter(isMetric)
        .map(([name, value]) => [name, typeof value === "object" && value ? kept(value) : value]),
    );
  addNested(kept(summary), results);
  addNested(plain, results);
}

function isMedia(value: unknown): boolean {
  return typeof value === "object" && value !== null && "_type" in value;
}

/** NaN and Infinity are taken for texts, which become unknown values. */
function parseJson(text: string): unknown {
  return parsePythonJson(text, (word) => `"${word}"`);
}

function addValue(told: string, value: unknown, results: Results): void {
  const { metrics, labels, warnings } = results;
  const name = onOneLine(told);
  if (name.length > MOST_NAME)
    warnings.push(`a metric with a name of ${name.length} characters was left out: ${name.slice(0, 40)}...`);
  else if (value === null || (typeof value === "string" && value.trim() === "")) metrics[name] = null;
  else if (typeof value === "boolean") metrics[name] = value ? 1 : 0;
  else {
    const number = typeof value === "number" ? value : Number(value);
    if (name === "cost_usd" && number < 0) {
      metrics[name] = null;
      warnings.push(`cost_usd is ${number}, which no run costs: kept as unknown`);
    } else if (Number.isFinite(number)) metrics[name] = number;
    else if (/^[+-]?(nan|inf(inity)?)$/i.test(String(value))) {
      metrics[name] = null;
      warnings.push(`metric ${name} is ${value}: kept as unknown`);
    } else addLabel(labels, name, String(value), warnings);
  }
}

/** A fact that is not a number; one that nobody could read is left out. */
export function addLabel(
  labels: Record<string, string>,
  name: string,
  text: string,
  warnings: { push(text: string): unknown },
): void {
  const isLong = text.length > MOST_LABEL || name.length > MOST_NAME;
  if (isLong) warnings.push(`label ${onOneLine(name.slice(0, 40))} has ${text.length} characters: left out`);
  else labels[onOneLine(name)] = text;
}

/** Numbers of a module's run, in the form that is recorded. */
export function cleanMetrics(raw: Record<string, unknown>, warnings: string[]): Metrics {
  const results: Results = { metrics: {}, labels: {}, warnings, files: [] };
  for (const [name, value] of Object.entries(raw)) {
    if (value === undefined || (typeof value === "object" && value !== null) || typeof value === "string") {
      warnings.push(`metric ${name} is not a number (${typeof value}): left out`);
    } else addValue(name, value, results);
  }
  return results.metrics;
}

/** The first thousand files of a run, by their paths below its out folder. What can't be read is a warning, no more. */
export function listFiles(outDir: string, warnings: string[]): string[] {
  const files: string[] = [];
  const visit = (prefix: string): void => {
    for (const entry of readdirSync(`${outDir}/${prefix}`, { withFileTypes: true })) {
      if (files.length >= MOST_FILES) return;
      if (entry.isDirectory()) visit(`${prefix}${entry.name}/`);
      else files.push(prefix + entry.name);
    }
  };
  try {
    visit("");
  } catch (error) {
    warnings.push(`the out folder could not be read: ${causeText(error)}`);
  }
  return files;
}

/**
 * What a program left in its out folder. Trajectories of agents give the metrics that the target `agent` has, where the
 * program itself does not state them.
 */
export function readAgentResults(outDir: string): Results {
  const results = readResults(outDir);
  if (!results.files.some((file) => MAY_BE_TRAJECTORY.test(file))) return results;
  const { rows, problems } = instancesIn(outDir);
  results.metrics = { ...instanceMetrics(rows), ...results.metrics };
  const [only] = rows;
  if (rows.length === 1 && only!.exit_status !== null)
    results.labels = { exit_status: only!.exit_status, ...results.labels };
  results.warnings.push(...problems.map((problem) => `a trajectory could not be read: ${problem}`));
  return results;
}
