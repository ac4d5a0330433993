import type { MetricInfos } from "./run.ts";
import {
  anything,
  listOf,
  number,
  objectWith,
  oneOf,
  optional,
  orNull,
  type Shape,
  tableOf,
  text,
} from "./shape.ts";
import type { Analysis, Study } from "./study.ts";

/** Of the files in a study's folder. Raised when a reader of the one before would get something wrong. */
export const FORMAT = 1;

/** study.json: what a folder of results is about, and where and how they came to be. */
export interface StudyFile {
  format: typeof FORMAT;
  name: string;
  program: string;
  study: Study;
  /** What the target says of its metrics; absent for programs, and in what older versions wrote. */
  metrics?: MetricInfos;
  /** Runs that the plan has. */
  total: number;
  spec: { path: string; dialect: string; hash: string; text: string };
  environment: Record<string, unknown>;
  packages: Record<string, string>;
  git: Record<string, unknown> | null;
  /** Every launch on this folder, oldest first. */
  launches: Launch[];
}

export interface Launch {
  at: string;
  command: string;
  specHash: string;
  program: string;
  /** What each file of the program held, by its path from the study file; absent in what older versions wrote. */
  files?: Record<string, string>;
  /** Stands for everything that decides which runs there are. */
  plan: string;
  /** What the study file said then of how it is judged; absent in what older versions wrote. */
  analysis?: Analysis;
  /** The checkout around the study file; null outside of git, absent in what older versions wrote. */
  git?: LaunchCommit | null;
  /** It found everything done: the results are of an earlier one. */
  isIdle?: true;
  /** The hash of the plan that was locked when it began, in what it deviated from that, and how many runs it found. */
  lock?: string;
  deviations?: string[];
  done?: number;
}

/** Which state of the code a launch measured. */
export interface LaunchCommit {
  commit: string;
  committedAt: string;
  /** Stands for the uncommitted changes to files that git knows; null where there are none. */
  changes: string | null;
}

const table = tableOf(anything);
const calls = { warmup: number, measured: number };
const goal = oneOf(["minimize", "maximize"]);
const analysis = objectWith({
  metric: optional(text),
  goal: optional(goal),
  also: optional(listOf(objectWith({ metric: text, goal: optional(goal) }))),
  baseline: optional(table),
  pairBy: optional(listOf(text)),
});
const target: Record<string, Shape> = {
  shipped: objectWith({ name: text }),
  file: objectWith({ path: text }),
  command: objectWith({ argv: listOf(text), cwd: text, watch: listOf(text) }),
};
const search = objectWith({
  method: text,
  options: table,
  space: listOf(objectWith({ name: text, path: listOf(text), distribution: objectWith({ kind: text }) })),
  objectives: listOf(objectWith({ metric: text, goal })),
  constraints: listOf(text),
  points: optional(number),
  seed: number,
});

/** What readers rely on. Keys are only ever added to a format: what is not named here may be absent. */
const STUDY = objectWith({
  name: text,
  question: optional(text),
  tags: optional(listOf(text)),
  notes: optional(text),
  analysis,
  warnings: optional(listOf(objectWith({ text }))),
  target: objectWith({ kind: oneOf(Object.keys(target)) }),
  params: table,
  axes: listOf(objectWith({ names: listOf(text), rows: listOf(listOf(anything)), when: optional(text) })),
  variants: listOf(objectWith({ name: text, params: table, flags: listOf(text) })),
  where: optional(text),
  seeds: listOf(number),
  tasks: optional(listOf(text)),
  taskVersions: optional(tableOf(text)),
  valueVersions: optional(tableOf(tableOf(text))),
  watchVersions: optional(tableOf(tableOf(text))),
  repeats: objectWith(calls),
  search: optional(search),
  label: optional(text),
  iterations: objectWith(calls),
  instruments: listOf(objectWith({ name: text, options: table })),
  plugins: optional(listOf(text)),
  limits: objectWith({ timeoutMs: number, graceMs: number, retries: number, costUsd: optional(number) }),
  executor: objectWith({ kind: text, jobs: number }),
  env: tableOf(text),
  outRoot: text,
  artifacts: oneOf(["all", "failed", "none"]),
});

const STUDY_FILE = objectWith({
  format: number,
  name: text,
  program: text,
  study: (value) => STUDY(value) ?? objectWith({ target: target[(value as Study).target.kind]! })(value),
  metrics: optional(tableOf(table)),
  // Of a search without end it is Infinity, which JSON has no word for.
  total: orNull(number),
  spec: objectWith({ path: text, dialect: text, hash: text, text }),
  environment: table,
  packages: tableOf(text),
  git: orNull(table),
  launches: listOf(
    objectWith({
      ...{ at: text, command: text, specHash: text, program: text },
      ...{ files: optional(tableOf(text)), analysis: optional(analysis) },
      ...{ lock: optional(text), deviations: optional(listOf(text)), done: optional(number) },
    }),
  ),
});

/** What is wrong with the content of a study.json; undefined where readers can rely on it. */
export const studyFileProblem: Shape = STUDY_FILE;
