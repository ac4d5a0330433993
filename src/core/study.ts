import type { Dataset } from "./dataset.ts";
import type { Amount, Decide } from "./decider.ts";
import type { ExecutorChoice } from "./executor.ts";
import type { Params, Value } from "./params.ts";
import type { TaskSelection } from "./select-tasks.ts";
import type { ServiceRef } from "./service.ts";
import type { Search } from "./space.ts";
import type { Doomed } from "./stall.ts";
import type { Warning } from "./warning.ts";

export type { Amount, Decide };

/**
 * One question, with nothing left open: the target is found, names, values and tasks are decided. What is planned, run
 * and written to study.json.
 */
export interface Study extends About, Matrix, Execution, Storage {
  target: TargetRef;
}

/** A study as its file states it. `settleStudy` answers what the file leaves open, which takes the target. */
export interface DeclaredStudy extends About, Matrix, Execution, Storage {
  target: TargetRef | NamedTarget;
  open?: OpenQuestions;
}

/** What the study is called, what it asks, and how it is judged. */
export interface About {
  name: string;
  /** What the study answers, in the author's words. */
  question?: string;
  tags?: string[];
  notes?: string;
  analysis: Analysis;
  /** What its file says and Assay does not do, or reads otherwise: told whenever it is planned or run. */
  warnings?: Warning[];
}

/** Which runs there are. */
export interface Matrix {
  params: Params;
  axes: Axis[];
  variants: Variant[];
  /** Bare flags (`disable_hedging`) that the program has whether a variant uses them or not: columns of every table. */
  programFlags?: string[];
  /** Only the runs for which this expression holds are part of the study. */
  where?: string;
  seeds: number[];
  /** Each cell is run on each of them, which pairs the cells; without any, a run has no task. */
  tasks?: string[];
  /** The fields of tasks that come from a dataset, by task; never written down: the file has them. */
  items?: ReadonlyMap<string, Params>;
  /** Which state of its content a task has, where the target can tell: part of the identity of its runs. */
  taskVersions?: Record<string, string>;
  /** How easy each task is, by what earlier agents made of it (`analysis.decide.history`), in log odds. */
  easiness?: Record<string, number>;
  /** Where claims count on arms being like these earlier agents: how many they are, and how far (`TallyBet`). */
  alike?: { agents: number; temper: number };
  /**
   * By parameter and by the JSON of a value: which state the files have that it names, where the target can tell. Part
   * of the identity of the runs that have the value.
   */
  valueVersions?: Record<string, Record<string, string>>;
  /** By pattern (`configs/${model}.json`) and by path: which state the watched files have that runs name. */
  watchVersions?: Record<string, Record<string, string>>;
  repeats: { warmup: number; measured: number };
  /** Chooses further parameters from what the runs before gave. */
  search?: Search;
  /** The readable part of a run's id, such as `${policy}__wf${workflows}__seed${seed}__${variant}`. */
  label?: string;
}

/** How a run runs. */
export interface Execution {
  /** Calls of the target within one run, between one setup and one teardown. */
  iterations: Calls;
  /**
   * Unless told, cells take turns: a seed and a task for all before the next. "interleaved": in rounds of a drawn order, so that
   * a drift of the machine hits all alike; "planned": one point of the matrix after the other.
   */
  order?: "interleaved" | "planned";
  instruments: InstrumentRef[];
  /** Users' files that declare instruments. */
  plugins?: string[];
  limits: Limits;
  executor: ExecutorChoice;
  /** Run beside the runs. */
  services?: ServiceRef[];
  /** Runs call models through a gateway, which keeps the limits of calls and dollars. */
  models?: ModelAccess;
  /** Judge what runs leave, apart from making it. */
  score?: ScorerRef[];
  /** Environment variables for child processes, beside the inherited ones. */
  env: Record<string, string>;
}

/** What is kept, and where. */
export interface Storage {
  outRoot: string;
  /** Every launch is kept apart, in a folder named by its time below the study's; one that was cut short goes on. */
  isStamped?: boolean;
  /** Where launches are kept apart: the entries of the file, by which the runs of a launch are numbered. */
  numbering?: NumberedEntry[];
  artifacts: "all" | "failed" | "none";
  /** Each run gets a result.json and a result.md that stand for themselves. */
  resultFiles?: boolean;
}

/** What only who can load the target can decide. */
export interface OpenQuestions {
  /** Lists among the parameters are values or axes, as the target takes them; of the points `sample` keeps some. */
  lists?: { sample?: { count: number; seed: number } };
  /** What may stand there in vain: entries of the parameter `nested`, and what earlier versions of the target had. */
  loose?: { nested: string; earlier: readonly string[] };
  /** Chooses among the tasks that the target has. */
  tasks?: TaskSelection;
  /** The tasks are items of a file. */
  dataset?: Dataset;
  /** How it is judged where the target does not say what its results are. */
  analysis?: Analysis;
  /** The search space uses another tool's names: the target says which of its parameters they mean. */
  names?: true;
}

/** Asks for runs of one row of the first axis on one task: their seeds are from `first`, `count` of them. */
export interface NumberedEntry {
  task: string;
  row: number;
  first: number;
  count: number;
}

/** How often a run calls its target. */
export interface Calls {
  warmup: number;
  /** At most this many, where time or precision end them. */
  measured: number;
  batch?: Batch;
  /** No further one begins after this time. */
  timeMs?: number;
  /** They are enough when the 95 % interval of their median is this share of it to either side. */
  until?: number;
}

/** Calls of the body between two readings of the clock; "auto": as many as make reading it negligible. */
export type Batch = number | "auto";

/** What is measured: one that ships with Assay, a module file, or a program. */
export type TargetRef = { kind: "shipped"; name: string } | FileRef | CommandRef;

export interface FileRef {
  kind: "file";
  path: string;
  /** Which of the benchmarks in a Python file is meant; without it, the only one. */
  member?: string;
}

/** Whether a target is a benchmark in Python, which runs in a process of its own. */
export function isPythonTarget(ref: TargetRef): ref is FileRef & { path: `${string}.py` } {
  return ref.kind === "file" && ref.path.endsWith(".py");
}

/** Ships with Assay, or is a file beside the study: who looks will know. */
export interface NamedTarget {
  kind: "named";
  name: string;
}

export interface CommandRef {
  kind: "command";
  argv: string[];
  cwd: string;
  /** `cwd` as the author names it, seen from the study file; absent where that is its own folder. */
  folder?: string;
  watch: string[];
  version?: string;
  /** One process answers many runs, a JSON line each, instead of being started for every one. */
  isWorker?: true;
  /** Metrics that it prints: a regular expression for each. */
  metrics?: Record<string, string>;
  /** Its `${args}` are printed as a sweep agent written in Python prints them. */
  sweepArgs?: SweepArgs;
}

/** What numbers alone don't say: which of them are floats, so that 1.0 is printed as such. */
export interface SweepArgs {
  /** Below the path, these numbers are floats; all of them where none is named. */
  floats: { path: string[]; values?: number[] }[];
  /** The program gets the run's seed as a parameter of this name. */
  seedName?: string;
  /** Parameters that the program knows by another name: ours, then its own. */
  names?: Record<string, string>;
}

/** Gives metrics for what a run left: a program, a module or a language model. */
export interface ScorerRef {
  /** Of its folder, and in front of its metrics (`exact/correct`) where the study names it. */
  name: string;
  isNamed?: true;
  /** Of one run; the study's own limit unless told. */
  timeoutMs?: number;
  by: CommandRef | FileRef | JudgeRef;
}

/** A language model that scores what a run left between 0 and 1, criterion by criterion. */
export interface JudgeRef {
  kind: "judge";
  model: string;
  /** What is asked of an output, by the name of its metric. */
  criteria: Record<string, string>;
  /** The file that it reads, seen from the run's out folder; what the run printed unless told. */
  output?: string;
  repeats: number;
}

/** The way to models that programs get; whose limits it keeps, `Limits` says. */
export interface ModelAccess {
  /** Where answers are kept for the same question; undefined where each question is asked. */
  cacheDir?: string;
  /** The user's own prices. */
  pricesFile?: string;
  /** Tries at a call that its provider can't answer now, the first included. */
  tries: number;
}

/** A parameter that takes several values, or several parameters that move together (`names.length > 1`). */
export interface Axis {
  names: string[];
  /** One row per step; each row has one value per name. */
  rows: Value[][];
  /** The axis takes part only where this expression holds; elsewhere its parameters are absent. */
  when?: string;
}

/** A named change against the baseline. */
export interface Variant {
  name: string;
  params: Params;
  flags: string[];
}

export interface InstrumentRef {
  name: string;
  options: Params;
}

export interface Limits {
  /** Per attempt; 0 is none. */
  timeoutMs: number;
  /** Between TERM and KILL. */
  graceMs: number;
  /** Further attempts after an infrastructure failure. */
  retries: number;
  /** Before the first retry; doubles with each. */
  backoffMs: number;
  /** No new run starts once a launch has cost this much, a search all of its launches; undefined is no limit. */
  costUsd?: number;
  /** What all runs together may take of their models: calls, tokens, calls that begin within a minute, and calls at once. */
  calls?: number;
  tokens?: number;
  callsPerMinute?: number;
  callsAtOnce?: number;
  /** A launch ends after so long; undefined is no limit. */
  wallMs?: number;
  /** No new run starts once all launches together have cost this much. */
  totalCostUsd?: number;
  /** Bytes kept of each of stdout and stderr. */
  stdoutBytes: number;
  /** Ends runs that make no progress for longer than those that succeed; none unless told. */
  doomed?: Doomed;
}

/** Of files that have no word for limits. */
export const USUAL_LIMITS: Readonly<Limits> = {
  timeoutMs: 0,
  graceMs: 5000,
  retries: 0,
  backoffMs: 1000,
  stdoutBytes: 10_000_000,
};

export interface Analysis {
  metric?: string;
  goal?: "minimize" | "maximize";
  /** Metrics that the answer must mention: a winner that pays for it elsewhere says so. */
  also?: { metric: string; goal?: "minimize" | "maximize" }[];
  baseline?: Params;
  pairBy?: string[];
  /** By how much more, or by how many times as much, arms differ on `metric`; chosen by the values unless told. */
  scale?: "difference" | "ratio";
  /** The smallest difference on `metric` that matters: in its unit, or as a share of the baseline's mean. */
  margin?: Amount;
  /** Runs come in rounds, and the study ends when the answer is in. */
  decide?: Decide;
}
