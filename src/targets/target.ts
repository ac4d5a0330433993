import type { ZodType, z } from "zod";
import type { TrafficOptions } from "../core/executor.ts";
import type { Params, Value } from "../core/params.ts";
import type { Redactor } from "../core/redact.ts";
import type { MetricInfos, Metrics, Run, RunRecord } from "../core/run.ts";
import type { TaskEntry } from "../core/select-tasks.ts";
import type { Sink } from "../core/sink.ts";

export type { MetricInfo } from "../core/run.ts";

/** What a target gets: the least it needs, never the engine. */
export interface TargetContext<P = unknown> {
  /** The run's id, as its record has it. */
  runId?: string;
  params: P;
  seed: number;
  task: string | null;
  /** The fields of the task, where it is an item of a dataset. */
  item?: Params;
  repeat: number;
  /** 0 for the first measured iteration; warm-up iterations count up to -1. */
  iteration: number;
  /** The folder of the study file: paths in parameters are relative to it. */
  baseDir: string;
  /** A folder of the run's own for its files; null when the study keeps no artifacts. */
  outDir: string | null;
  /** False where the user wants no traces of what happens within a run. */
  trace?: boolean;
  traffic?: TrafficOptions;
  /** Aborts when the run should end. */
  signal: AbortSignal;
  /** Appends one step to the run's series, such as `{step: 10, reward: 0.4}`. */
  series(values: Record<string, number>): void;
  /** Says what a reader of the results should keep in mind. */
  warn(text: string): void;
  /** States a fact about the run that is no number, such as `exit_status`. */
  label?(name: string, text: string): void;
}

/** How sweep files of other tools name a target's parameters and what of theirs it has. */
export interface SweepReading {
  /** Their names and ours; null where there is no such parameter. */
  names: Record<string, string | null>;
  /** Where each of ours does something. */
  when: Record<string, string>;
  /** Values of theirs that nothing here has, with what is taken instead, unless the file sets another parameter. */
  standIns?: { param: string; values: Record<string, string>; unless: string; because: string };
}

/** The language models that runs ask, by name, and what is needed to ask them. */
export interface AskedModels {
  names: string[];
  /** Agents of others call models, too: all runs share one gate with them. */
  isShared?: boolean;
  pricesFile?: string | undefined;
  baseUrl?: string | undefined;
}

/** A launch that is kept apart from others of its study. */
export interface LaunchFacts {
  studyDir: string;
  /** The study file, as seen from where the command was called. */
  config: string;
  name: string;
  stamp: string;
  /** By their numbers. */
  runs: readonly Run[];
  /** What the journal says of those that have ended already. */
  records: readonly RunRecord[];
  /** Folder of links to the runs' folders; undefined where there is none. */
  linkDir: string | undefined;
  callerDir: string;
  redactor: Redactor;
}

/** Grades again what runs left behind, with the task as it is now. */
export interface Regrading {
  /** Whether a record has left something that was graded, or that the grader broke on. */
  canRegrade(record: RunRecord, studyDir: string): boolean;
  /** The record as it would be now; the same one where nothing changed. */
  regrade(
    record: RunRecord,
    place: { studyDir: string; baseDir: string; signal: AbortSignal },
  ): Promise<RunRecord>;
}

/** Numbers (true counts as 1), or null where one is unknown. */
export type TargetMetrics = Record<string, number | boolean | null> | Metrics;

/**
 * Something that can be measured. A run calls `setup` once, `run` once for each iteration (one, unless the study
 * asks for more), and `teardown` whatever `run` did. Where `setup` throws, neither of the two is called: it undoes
 * itself what it began. What `setup` returns is handed to the other two; only `run` is timed. Several threads may do this at once, each with its own instance of the module.
 */
export interface Target<S extends ZodType = ZodType, T = unknown> {
  name: string;
  /** Part of a run's identity: raise it when results change. Files that users name are hashed instead. */
  version?: string;
  description?: string;
  /** A zod object with defaults and descriptions: unknown parameters and wrong types are errors. */
  params: S;
  /** What it measures; recorded in study.json. */
  metrics?: MetricInfos;
  /** Parameters that may name a file (`./my-policy.ts`), which then is a part of the program. */
  fileParams?: string[];
  /** The tasks that a study may choose from with `tasks:`, for these parameters. */
  tasks?(params: z.output<S>, baseDir: string): TaskEntry[];
  /**
   * Which state of its content a task has: part of the identity of its runs. None where the target's own version
   * stands for it.
   */
  taskVersion?(task: string, params: z.output<S>, baseDir: string): string | undefined;
  /**
   * Which state the files have that a value of a parameter names: part of the identity of the runs with this value.
   * Undefined where it names none.
   */
  valueVersion?(param: string, value: unknown, baseDir: string): string | undefined;
  /** Files that it was seen to load, beside those that its imports name: part of the program. */
  loadedFiles?: string[];
  /** The version of Python that runs it, of a target in Python. */
  python?: string;
  /** The parameter that may name a folder or a file with tasks: what is there counts where `taskVersion` does not. */
  taskSetParam?: string;
  /** Which language models its runs ask, from all values that a study gives to a parameter. */
  models?(valuesOf: (param: string) => Value[]): AskedModels;
  /** Keeps files of its own current in the folder of a launch that is kept apart. */
  launchFiles?(launch: LaunchFacts): Sink;
  /** What it can grade again without running it again. */
  regrading?: Regrading;
  /** How sweep files of other tools are read. */
  sweeps?: SweepReading;
  /**
   * Throws for parameters that are right one by one and yet can't run, before anything does. `isHere`: runs run on this
   * machine, so what they need must be there. `isReplay`: models are not asked.
   * `limitUsd`: what they cost must be known.
   */
  check?(
    params: z.output<S>,
    baseDir: string,
    place: { isHere: boolean; isReplay?: boolean; limitUsd?: number },
  ): void | Promise<void>;
  /** What a run will take, in a sentence that says what it assumes; shown by plan and --dry-run. */
  estimate?(params: z.output<S>, place: { task: string | null; baseDir: string }): Promise<string>;
  setup?(ctx: TargetContext<z.output<S>>): T | Promise<T>;
  run(ctx: TargetContext<z.output<S>>, state: T): TargetMetrics | Promise<TargetMetrics>;
  teardown?(ctx: TargetContext<z.output<S>>, state: T): void | Promise<void>;
}

/** Declares a target: `export default defineTarget({...})`. */
export function defineTarget<S extends ZodType, T = undefined>(target: Target<S, T>): Target<S, T> {
  return target;
}
