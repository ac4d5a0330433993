import type { Params } from "./params.ts";
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
  withSchema,
} from "./shape.ts";
import type { Analysis, Study } from "./study.ts";

/** From so many runs on, working out what the page shows takes long enough to keep it. */
export const KEPT_FROM_RUNS = 2000;

/** The names of what a study's folder holds; docs/architecture.md says what stands in each. */
export const STUDY_FILES = {
  study: "study.json",
  journal: "journal.jsonl",
  live: "live.json",
  lock: "lock.json",
  control: "control",
  runs: "runs",
  states: "state",
  scores: "scores",
  services: "services",
  table: "aggregate/runs.csv",
  report: "report",
  ledger: "sweep.db",
  queue: "queue.json",
  late: "late.jsonl",
  looks: "looks.jsonl",
  plan: "locked.json",
  decisions: "decisions.jsonl",
  notes: "notes.jsonl",
  modelCalls: "model-calls.jsonl",
  lostCalls: "lost-calls.jsonl",
  slurm: "slurm",
  transcripts: "transcripts.db",
  view: "view.json",
  manifest: "manifest.json",
  runList: "runs.txt",
  taskResults: "task_results",
} as const;

/** Beside the folder: what a study in the background (--detach) prints. */
export function detachedLog(name: string): string {
  return `${name}.log`;
}

/** Beside `data/rollouts`: an index of one launch, for scripts that look launches up by name. */
export function launchIndex(name: string, stamp: string): string {
  return `temp/rollout_${name}__${stamp}.json`;
}

/** The names of what one run's folder holds. */
export const RUN_FILES = {
  meta: "meta.json",
  stdout: "stdout.txt",
  stderr: "stderr.txt",
  series: "series.jsonl",
  task: "item.json",
  result: "result.json",
  resultPage: "result.md",
  out: "out",
  earlier: "earlier",
  job: "job.json",
  attempt: "attempt.json",
  judgement: "judgement.json",
} as const;

/** Among a run's own files: what it has cost so far. */
export const SPENT_FILE = "spent.json";
/** Among a run's own files: a folder for each step, where its task has several. */
export const STEPS_FOLDER = "steps";
/** Among a run's own files: its model traffic, where it was recorded. */
export const CASSETTE_FILE = "cassette.jsonl";

export function runDir(studyDir: string, runId: string): string {
  return `${studyDir}/${STUDY_FILES.runs}/${runId}`;
}

/** Where a scorer keeps what it printed and left, run by run. */
export function scorerDir(studyDir: string, scorer: string): string {
  return `${studyDir}/${STUDY_FILES.scores}/${scorer}`;
}

/** What a run keeps from one try to the next; gone once it has a result. */
export function runStateDir(studyDir: string, runId: string): string {
  return `${studyDir}/${STUDY_FILES.states}/${runId}`;
}

/** Where the run's own files are. */
export function runOutDir(studyDir: string, runId: string): string {
  return `${runDir(studyDir, runId)}/${RUN_FILES.out}`;
}

const PATTERN = /^\d{8}__\d{2}-\d{2}-\d{2}$/;

/** Whether a folder's name is the time of a launch, such as `20250824__12-34-56`. */
export function isStamp(name: string): boolean {
  return PATTERN.test(name);
}

/** The time of a launch as a folder's name, from an ISO time in UTC; these names sort by time. */
export function stampOf(isoTime: string): string {
  const [date, time] = isoTime.split("T") as [string, string];
  return `${date.replaceAll("-", "")}__${time.slice(0, 8).replaceAll(":", "-")}`;
}

/** What a study's folder is called: its name, or `NAME/STAMP` for one of several launches. */
export function titleOf(studyDir: string): string {
  const [name = "", stamp = ""] = studyDir.split("/").slice(-2);
  return isStamp(stamp) ? `${name}/${stamp}` : stamp;
}

/** A study's name as people see it: with its launch where there are several. */
export function shownName(studyDir: string, name: string | undefined): string {
  const title = titleOf(studyDir);
  return title.includes("/") ? title : (name ?? title);
}

/** Of the files in a study's folder. Raised when a reader of the one before would get something wrong. */
export const FORMAT = 1;

/** What study.json says in place of a dialect where another tool made the results. */
export const IMPORT_DIALECT = "import";

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
  /** What the command line set (`-p`); absent where it set nothing. */
  params?: Params;
  /** What each file of the program held, by its path from the study file; absent in what older versions wrote. */
  files?: Record<string, string>;
  /** Stands for everything that decides which runs there are. */
  plan: string;
  /** What the study file said then of how it is judged; absent in what older versions wrote. */
  analysis?: Analysis;
  /** The checkout around the study file; null outside of git, absent in what older versions wrote. */
  git?: LaunchCommit | null;
  /** Where it ran, and on which Node and Python; absent in what older versions wrote. */
  machine?: Record<string, string>;
  /** It found everything done: the results are of an earlier one. */
  isIdle?: true;
  /** The hash of the plan that was locked when it began, in what it deviated from that, and how many runs it found. */
  lock?: string;
  deviations?: string[];
  done?: number;
}

/** What of a machine and its software a measurement may depend on. */
export function machineOf({
  hostname,
  cpu,
  cores,
  os,
  node,
  python,
}: Record<string, unknown>): Record<string, string> {
  const facts = { host: hostname, processor: cpu, cores, system: os, node, python };
  const known = Object.entries(facts).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(known.map(([name, value]) => [name, String(value)]));
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
  easiness: optional(tableOf(number)),
  alike: optional(objectWith({ agents: number, temper: number })),
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
  study: withSchema(
    (value) => STUDY(value) ?? objectWith({ target: target[(value as Study).target.kind]! })(value),
    STUDY.schema ?? {},
  ),
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
      ...{ files: optional(tableOf(text)), analysis: optional(analysis), machine: optional(tableOf(text)) },
      params: optional(table),
      ...{ lock: optional(text), deviations: optional(listOf(text)), done: optional(number) },
    }),
  ),
});

/** What is wrong with the content of a study.json; undefined where readers can rely on it. */
export const studyFileProblem: Shape = STUDY_FILE;
