import type { Owner } from "../core/run.ts";

/** One measured value of one arm, or the lack of one. */
export interface Observation {
  /** The run, or the row of a file. */
  id: string | number;
  /** null where there is none; `owner` says whose fault that is. */
  value: number | null;
  /** What it is paired by ("3", "seed 3, workflows 50"); null where the source names nothing. */
  unit: string | null;
  /** The value is the share of passes among so many tries; absent where it is one value. */
  tries?: number | undefined;
  /** What several units share and are therefore not independent by, such as a seed over several workloads. */
  cluster?: string | undefined;
  /** Where in an arm it was measured: the settings that all arms share ("workflows 50"), "" where there is one. */
  block?: string | undefined;
  owner?: Owner | "unknown" | undefined;
}

export interface Arm {
  name: string;
  observations: Observation[];
}

/** Whether arms are compared by how much more, or by how many times as much. */
export type Scale = "difference" | "ratio";

/** What of the values is compared: their mean, or that of what is left without the highest and the lowest; the middle half. */
export type Centre = "mean" | "trimmed" | "middle";

/** What the values of one metric are compared by. */
export interface ArmSet {
  metric: string;
  /** The part of the data that this is about, where a column splits it; null for all of it. */
  part: string | null;
  arms: Arm[];
  /** Names of what makes a unit: ["seed"], ["instance_id"], ["seed", "workflows"]; empty where nothing does. */
  keys: string[];
  /** What is counted, in one word, where it is not the name of the one key. */
  noun?: string | undefined;
  /** Whether several observations of one unit in one arm are averaged, or make the pairing none. */
  hasRollouts: boolean;
  /** Whether the user asked for this pairing: then a pairing that isn't one is an error, else unpaired will do. */
  isAsked: boolean;
  /** What the observations of one unit differ in, for the message about duplicates. */
  unnamed?: string[];
  /** The key whose value several units share: they are not independent then. */
  clusterBy?: string | undefined;
  /** What to mind about how the observations were put together. */
  cautions?: string[];
  goal?: "minimize" | "maximize";
  /** By how much more, or by how many times as much, arms are compared; chosen by the values where nobody said. */
  scale?: Scale | undefined;
  /** Chosen by the values where nobody said. */
  centre?: Centre | undefined;
  /** The first so many units decided how many there are, by their spread. */
  pilot?: number | undefined;
  /** The least and the most that the metric can be: no interval leaves it. */
  range?: readonly [number, number] | undefined;
  /** What a run that the agent broke counts as; decided by the values where nobody declared it. */
  failure?: "worst" | "missing" | undefined;
  /** Whether it is a time that only the machine adds to, see MetricFacts. */
  isLeastTime?: boolean | undefined;
}
