import type { Params } from "../../core/params.ts";
import type { RunRecord } from "../../core/run.ts";
import type { Steps } from "./detect-steps.ts";

/** One run of any time, with the state of the code that it measured. */
export interface PastRun {
  target: string;
  state: CodeState;
  record: RunRecord;
  /** How many iterations its means are of. */
  iterations: number;
}

export interface CodeState {
  /** What belongs to one point of the history has the same. */
  key: string;
  /** For people: the first digits of the commit, or of the program's hash. */
  label: string;
  commit: string | null;
  committedAtMs: number | null;
  /** Where it was measured, where that is known. */
  machine?: Record<string, string>;
}

/** One state of the code, with all runs of a cell at it. */
export interface HistoryPoint {
  label: string;
  commit: string | null;
  /** Of the commit where that is known, else of the first measurement. */
  atMs: number;
  /** Where it was measured first, where that is known. */
  machine?: Record<string, string>;
  /** What is counted: seeds, tasks, or the repeats of one. */
  n: number;
  mean: number;
  /** Of the mean over what is counted; of one run, of its iterations (`isWithin`); null where neither can be told. */
  interval: { low: number; high: number; isWithin: boolean } | null;
}

/** What one target gave with one set of parameters, state by state, oldest first. */
export interface CellHistory {
  /** The target, and what tells the cell from the others. */
  name: string;
  target: string;
  params: Params;
  variant: string;
  points: HistoryPoint[];
  steps: Steps;
}

/** What makes a point: a commit (with its uncommitted changes), or every launch by itself. */
export type PointKind = "commit" | "launch";

export interface HistoryFindings {
  metric: string;
  /** Why it is this number of each run, where another one could be meant. */
  why: string | null;
  unit: string | null;
  goal: "minimize" | "maximize" | null;
  points: PointKind;
  cells: CellHistory[];
  /** Cells that were measured at one point only. */
  single: number;
  /** Runs without a value: without that metric, or failed where that is no value. */
  left: number;
}
