import type { MetricInfos, Run, RunRecord } from "./run.ts";
import type { Study } from "./study.ts";

/** When a study ends that decides as it goes. What stands here is fixed before the first run. */
export interface Decide {
  /** "decided": which arm is better is known; "precise": by how much is; "budget": the money is spent. */
  until: "decided" | "precise" | "budget";
  /** The largest difference that doesn't matter. */
  margin?: Amount;
  /** Half the width that the interval of each difference is to have. */
  precise?: Amount;
  /** The chance of even one false claim; .05 unless told. */
  alpha?: number;
  /** A difference of the margin or more is given up with a chance of at most 1 − power; never unless told. */
  power?: number;
  /** The least and the most that the metric can be, where the target doesn't declare it. */
  range?: [number, number];
  /** Earlier outcomes on the same tasks: a table of agents and tasks, or a study's folder. They say which tasks tell most. */
  history?: string;
  /**
   * "alike": claims count on the arms being like the agents of the history. "nothing": they hold for any arms, and take longer.
   * Unless told, alike where the history shows that one may.
   */
  assume?: "alike" | "nothing";
}

/** In the metric's unit, or as a share of its range. */
export interface Amount {
  value: number;
  isShare: boolean;
}

/** What all arms are run on before it is asked again whether the study is decided: a task, or a seed. */
export interface Round {
  unit: string;
  runs: ReadonlyMap<string, readonly Run[]>;
}

/** How a pair of arms stands. */
export interface Standoff {
  candidate: string;
  against: string;
  /** Of the candidate; "greater" and "less" where nobody said which is better, "futile": not worth more runs. */
  verdict: "better" | "worse" | "greater" | "less" | "equal" | "futile" | null;
  /** After how many rounds it was decided, or how many there are so far. */
  rounds: number;
  /** candidate − against, at any moment; null where there is none yet. */
  interval: { estimate: number; low: number; high: number; level: number } | null;
}

/** What a study that decides as it goes says at a moment. */
export interface Decision {
  isDecided: boolean;
  /** Whether nothing more is to be run: it is decided, precise enough, or through. */
  isOver: boolean;
  /** Rounds that count, of those there are. */
  rounds: number;
  of: number;
  noun: string;
  pairs: Standoff[];
  /** So many earlier agents are counted on to be like the arms. */
  alike?: number;
  sentence: string;
}

/** How far a study is that decides as it goes. */
export interface Standing {
  /** Rounds that count, of those there are. */
  rounds: number;
  of: number;
  noun: string;
  /** Pairs of arms that need no more runs, of those there are. */
  settled: number;
  pairs: number;
}

/** Follows a study's records and says when it has decided. What launches a study is handed one. */
export interface Decider {
  readonly rounds: readonly Round[];
  /** So many rounds have their place; which of the others come next depends on what these give. */
  readonly drawn: number;
  /** Rounds that count, from the first on. */
  readonly done: number;
  readonly isOver: boolean;
  readonly isDecided: boolean;
  /** The arms that further rounds are run with. */
  readonly running: readonly string[];
  readonly standing: Standing;
  readonly decision: Decision;
  has(run: Run): boolean;
  /** Takes what a run gave, in any order. Says whether that changed any verdict. */
  note(record: RunRecord): boolean;
}

export type MakeDecider = (study: Study, runs: Iterable<Run>, infos?: MetricInfos) => Decider;
