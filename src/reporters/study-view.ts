import type { Agreement } from "../analysis/labels/agreement.ts";
import type { Judgement } from "../analysis/labels/judge.ts";
import type { TaskGrid } from "../analysis/solving/task-grid.ts";
import type { Note, SavedView } from "../core/note.ts";
import type { Params } from "../core/params.ts";
import type { Outcome } from "../core/run.ts";
import type { Trajectory } from "../core/trajectory.ts";
import type { Warning } from "../core/warning.ts";
import type { Chart } from "../plots/chart.ts";
import type { Call } from "../plots/flame-chart.ts";

/**
 * What the page shows of one study, as plain JSON: embedded in the static report, served by `assay ui`. The
 * viewer knows nothing else.
 */
export interface StudyView {
  format: 1;
  /** The study's folder below the served one; "" in a static report. */
  id: string;
  name: string;
  question: string | null;
  answer: Answer | null;
  /** What a reader must keep in mind, the gravest first. */
  warnings: Warning[];
  /** `stopped`: ended early by the study's own rule, which is no failure and no full result. */
  counts: {
    total: number;
    ok: number;
    stopped: number;
    failed: number;
    cancelled: number;
    missing: number;
  };
  /** What was varied and how often: policies, scales, variants, seeds. */
  summary: Fact[];
  failures: {
    owner: string;
    count: number;
    /** The most frequent first, each with a few of its runs. */
    reasons: { reason: string; count: number; ids: string[] }[];
  }[];
  /** Machine, git state, program, versions. */
  madeWith: Fact[];
  /** Commands that do it again. */
  reproduce: string[];
  /** One row per cell, ready to print; of a search one row for each of the best points, which `title` and `note` say. */
  cells: { header: string[]; rows: string[][]; title?: string; note: string };
  /** Further tables, where a study has some. */
  tables?: TableView[];
  /** What every arm made of every task; absent where runs have no tasks. */
  tasks?: TasksView;
  charts: ChartView[];
  /** Whether it searches, so that its runs are points of which the best are wanted. */
  isSearch?: true;
  /** The metric that the study is about, and which direction is better. */
  metric: { name: string; unit: string | null; goal: "minimize" | "maximize" | null } | null;
}

/** What is known of a study at once, before its runs have been read. */
export interface Glance {
  question: string | null;
  /** Lines of the journal, of which a run that was done again has several; null where counting them would take long. */
  records: number | null;
  /** What the page showed last, perhaps of fewer runs; null where nothing was kept. */
  before: StudyView | null;
}

/** Tasks by arms, as the page has them. */
export type TasksView = TaskGrid;

/** A small table, ready to print. */
export interface TableView {
  title: string;
  /** What the target calls its result: a terminal prints it, too. */
  isResult?: true;
  note?: string;
  header: string[];
  rows: string[][];
  /** By column, the run that each row's cell leads to; null where it leads nowhere. */
  links?: Record<number, (string | null)[]>;
}

export interface Fact {
  label: string;
  value: string;
}

/** The study's answer in a sentence, with its uncertainty. */
export interface Answer {
  sentence: string;
  /** What its interval is and how it was made. */
  method: string;
  /** "planned" of a plan that was locked, "declared" where the study file named metric and baseline before the runs. */
  status: "planned" | "declared" | "exploratory";
  verdict: "better" | "worse" | "higher" | "lower" | "unclear" | "equal" | "unknown";
  /** What the winner pays on other metrics, and what else those show. */
  also: string[];
  /** Further sentences: the other arms. */
  others: string[];
}

/** A chart as data; `drawChart` of the plots room makes the same SVG of it in a file and in the page. */
export type ChartView = Chart & {
  /** Also the name of its files: report/assets/<id>.png and .svg. */
  id: string;
};

/** The runs by column: small in a file, quick to sort. All columns have the same length. */
export interface RunTable {
  count: number;
  columns: RunColumn[];
}

export type ColumnRole =
  | "id"
  | "param"
  | "variant"
  | "seed"
  | "task"
  | "repeat"
  | "status"
  | "owner"
  | "reason"
  | "metric"
  | "cost"
  | "time"
  | "started"
  /** What people said of the run. */
  | "label";

export type RunColumn =
  | { name: string; role: ColumnRole; kind: "number"; unit: string | null; values: (number | null)[] }
  | { name: string; role: ColumnRole; kind: "text"; words: string[]; codes: number[] };

/** One run in full. */
export interface RunView {
  id: string;
  params: Params;
  variant: string;
  flags: string[];
  /** Null only while a run is under way and its folder does not tell yet. */
  seed: number | null;
  task: string | null;
  repeat: number;
  /** Null while it is under way. */
  outcome: Outcome | null;
  attempt: number;
  earlier: { reason: string; wallMs: number }[];
  metrics: { name: string; value: number | null; unit: string | null }[];
  labels: Record<string, string>;
  warnings: string[];
  startedAtMs: number;
  wallMs: number;
  costUsd: number | null;
  /** Steps by column; null when the run kept none. */
  series: {
    step: number[];
    columns: Record<string, (number | null)[]>;
    /** The column that counts the steps of another one, where the program defined it. */
    axes?: Record<string, string>;
    isThinned: boolean;
  } | null;
  /** What the steps are, where it is not steps: tries of one thing. */
  stepsAre?: "iterations";
  /** Where its time went, in milliseconds, if it was profiled. */
  profile?: Call;
  /** What it used, sample by sample, if that was sampled. */
  resources?: { seconds: number[]; cpuPercent: number[]; rssMb: number[] } | undefined;
  stdout: Tail | null;
  stderr: Tail | null;
  files: { path: string; bytes: number }[];
  /** What can be read of its own files: patches, tests' output, logs. */
  texts: RunText[];
  /** Whether it solved its task, where runs are tries that are judged; null where nobody could tell. */
  isSolved?: boolean | null;
  /** Runs this one alone. */
  command: string;
  /** What its agent did, a trajectory an instance, long texts cut; absent where the run left none. */
  trajectories?: { shown: TrajectoryView[]; left: number };
}

export interface TrajectoryView extends Trajectory {
  /** The run's file that it was read from. */
  file: string;
  /** Turns that had no room. */
  leftTurns: number;
}

/** A text among a run's own files. */
export interface RunText extends Tail {
  path: string;
  kind: "patch" | "tests" | "log";
}

/** The turns of a study's transcripts in which a text stands. */
export interface FoundTurns {
  /** 10,000 where there are as many or more. */
  count: number;
  /** The first of them, with the words around it. */
  turns: { run: string; file: string; turn: number; text: string }[];
  /** How many transcripts have been read so far, of how many. */
  read: number;
  of: number;
}

/** What people say of a study, its tasks, runs and turns. */
export interface NotesView {
  notes: Note[];
  views: SavedView[];
  /** Null while fewer than two people have given verdicts. */
  agreement: Agreement | null;
  /** Of a report: what the study's judge is worth. */
  judgement?: Judgement | null;
}

/** The end of a text file. */
export interface Tail {
  text: string;
  bytes: number;
  isCut: boolean;
}

/**
 * What a static report holds, as JSON in the page. What is large is compressed, and a large table of runs stands
 * in a script of its own.
 */
export interface ReportData {
  view: StudyView;
  runs: RunTable;
  /** By id. */
  details: Record<string, RunView>;
  /** How many runs had no room among the details. */
  left: number;
  /** Absent where nobody wrote any. */
  notes?: NotesView;
}

/** A study in the list of the live page. */
export interface StudyCard {
  id: string;
  name: string;
  state: "running" | "paused" | "stopping" | "done" | "stopped" | "failed";
  counts: StudyView["counts"] & { running: number };
  running: { id: string; sinceMs: number }[];
  startedAtMs: number | null;
  updatedAtMs: number | null;
  etaMs: number | null;
  /** Runs ended a second, of late. */
  perSecond: number | null;
  costUsd: number;
  newestFailures: { id: string; reason: string; atMs: number }[];
  /** Runs at the same time; 0 where the executor decides. */
  jobs: number;
  /** What the launch may cost; null where there is no limit. */
  costLimitUsd: number | null;
  /** Whether a runner that can be paused and cancelled is there and the server may ask it. */
  canControl: boolean;
}

/** One ended run as the event stream tells it: the cells of a row of the run table, by column name. */
export type RunRow = Record<string, string | number | null>;

/** Two studies side by side. */
export interface StudiesView {
  a: StudyCard;
  b: StudyCard;
  /** What differs in the two study files and programs. */
  changes: { what: string; a: string; b: string }[];
  /** One a metric that both have. */
  comparisons: {
    metric: string;
    unit: string | null;
    sentence: string;
    method: string;
    warnings: string[];
  }[];
  charts: ChartView[];
}

/** What a static comparison holds in place of ReportData. */
export interface ComparisonData {
  comparison: StudiesView;
}
