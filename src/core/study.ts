import type { Params, Value } from "./params.ts";

/** One question: a target, its parameters, what varies, how often, and how it is judged. */
export interface Study {
  name: string;
  target: TargetRef;
  params: Params;
  axes: Axis[];
  variants: Variant[];
  /** Only the runs for which this expression holds are part of the study. */
  where?: string;
  seeds: number[];
  repeats: { warmup: number; measured: number };
  instruments: InstrumentRef[];
  limits: Limits;
  executor: { kind: string; jobs: number };
  artifacts: "all" | "failed" | "none";
  analysis: Analysis;
  outRoot: string;
  /** Environment variables for child processes, beside the inherited ones. */
  env: Record<string, string>;
  /** The readable part of a run's id, such as `${policy}__wf${workflows}__seed${seed}__${variant}`. */
  label?: string;
  /** What the study answers, in the author's words. */
  question?: string;
}

/** What is measured: one that ships with Assay, a module file, or a program. */
export type TargetRef =
  | { kind: "shipped"; name: string }
  | { kind: "file"; path: string }
  | { kind: "command"; argv: string[]; cwd: string; watch: string[]; version?: string };

/** A parameter that takes several values, or several parameters that move together (`names.length > 1`). */
export interface Axis {
  names: string[];
  /** One row a step; each row has one value per name. */
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
  /** No new run starts once the study has cost this much; undefined is no limit. */
  costUsd?: number;
  /** Bytes kept of each of stdout and stderr. */
  stdoutBytes: number;
}

export interface Analysis {
  metric?: string;
  goal?: "minimize" | "maximize";
  baseline?: Params;
  pairBy?: string[];
}
