import type { Owner } from "../../core/run.ts";

/** One measured value of one arm, or the lack of one. */
export interface Observation {
  /** The run, or the row of a file. */
  id: string | number;
  /** null where there is none; `owner` says whose fault that is. */
  value: number | null;
  /** What it is paired by ("3", "seed 3, workflows 50"); null where the source names nothing. */
  unit: string | null;
  /** What several units share and are therefore not independent by, such as a seed over several workloads. */
  cluster?: string | undefined;
  owner?: Owner | "unknown" | undefined;
}

export interface Arm {
  name: string;
  observations: Observation[];
}

/** What the values of one metric are compared by. */
export interface ArmSet {
  metric: string;
  /** The part of the data that this is about, where a column splits it; null for all of it. */
  part: string | null;
  arms: Arm[];
  /** Names of what makes a unit: ["seed"], ["instance_id"], ["seed", "workflows"]; empty where nothing does. */
  keys: string[];
  /** Whether several observations of one unit in one arm are rollouts to be averaged, or a pairing that isn't one. */
  hasRollouts: boolean;
  /** Whether the user asked for this pairing: then a pairing that isn't one is an error, else unpaired will do. */
  isAsked: boolean;
  /** What the observations of one unit differ in, for the message about duplicates. */
  unnamed?: string[];
  /** The key whose value several units share: they are not independent then. */
  clusterBy?: string | undefined;
  goal?: "minimize" | "maximize";
  /** The least and the most that the metric can be: then a run that the agent broke has the worst value. */
  range?: readonly [number, number] | undefined;
  /** Rollouts are tries of one agent at one task, to be drawn anew within their task. */
  drawsRollouts?: boolean;
}

/** The values are passes and failures if all that are known are 0 or 1. */
export function isRate(arms: readonly Arm[]): boolean {
  let seen = false;
  for (const { observations } of arms) {
    for (const { value } of observations) {
      if (value === null) continue;
      if (value !== 0 && value !== 1) return false;
      seen = true;
    }
  }
  return seen;
}
