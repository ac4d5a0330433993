import type { Params, Value } from "./params.ts";

/** Where the values of one searched parameter come from. */
export type Distribution =
  | { kind: "constant"; value: Value }
  | { kind: "categorical"; values: Value[]; probabilities?: number[] }
  | { kind: "integer"; min: number; max: number; scale: Scale; step: number }
  /** Steps are counted from `min`; from `anchor` where a file's own rule says so. */
  | { kind: "uniform"; min: number; max: number; scale: Scale; step?: number; anchor?: number }
  | { kind: "normal"; mean: number; sd: number; scale: "linear" | "log"; step?: number }
  | { kind: "beta"; a: number; b: number; step?: number };

/** "inverse-log": uniform in the logarithm of 1/x. */
export type Scale = "linear" | "log" | "inverse-log";

export interface SpaceParameter {
  name: string;
  /** The keys below which a run's parameters nest it; `[name]` where they don't. */
  path: string[];
  distribution: Distribution;
  /** The parameter applies only where this condition on the others holds; elsewhere it makes no new runs. */
  when?: string;
  default?: Value;
}

/** What a study searches for, where and how. */
export interface Search {
  /** A searcher's name. */
  method: string;
  options: Params;
  space: SpaceParameter[];
  /** Points for which this does not hold are never proposed. */
  where?: string;
  /** At most this many points; undefined for a grid that ends by itself, or a search that is ended by hand. */
  points?: number;
  objectives: Objective[];
  /** Conditions on metrics that a good point satisfies, such as `cost_usd < 1`. */
  constraints: string[];
  earlyStop?: EarlyStop;
  seed: number;
}

/** Why a search proposes nothing more. */
export interface Ending {
  why: string;
  /** It gave up: what it has can't lead anywhere. */
  isDefeat?: boolean;
}

export interface Objective {
  metric: string;
  goal: "minimize" | "maximize";
  /** No new point once one has reached this. */
  target?: number;
}

export interface EarlyStop {
  /** A stopper's name: hyperband, halving, median, wilcoxon, race. */
  kind: string;
  options: Params;
  /** Runs are as far as they have reported values, whatever their steps, as W&B has it. */
  countsValues?: true;
}
