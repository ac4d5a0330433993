/** What `assay fleet` and the live page show of a fleet. All times are of the clock of the queue's server. */
export interface FleetView {
  /** The queue's address, without user and password. */
  queue: string;
  nowMs: number;
  workers: FleetWorker[];
  /** What waits, by what it needs of a worker. */
  classes: FleetClass[];
  studies: FleetStudy[];
  limits: FleetLimit[];
  troubles: FleetTrouble[];
}

export interface FleetWorker {
  id: string;
  host: string;
  pid: number;
  version: string;
  /** Runs at the same time. */
  jobs: number;
  cores: number;
  memoryMb: number;
  labels: string[];
  state: "running" | "paused" | "draining" | "refused" | "silent";
  startedAtMs: number;
  seenAtMs: number;
  doing: { study: string; run: string; sinceMs: number }[];
  done: number;
  failed: number;
  perMinute: number;
  /** Why it takes nothing, or not all: one sentence each. */
  notes: string[];
}

export interface FleetClass {
  /** Such as "2 cores, label gpu"; "nothing" where any worker will do. */
  needs: string;
  /** Chunks of runs. */
  waiting: number;
  delayed: number;
  underWay: number;
  /** Workers that could take them now. */
  workers: number;
}

export interface FleetStudy {
  name: string;
  host: string;
  /** "away": its coordinator has not been heard of; results wait for it. */
  state: "running" | "paused" | "stopping" | "away";
  total: number | null;
  ended: number;
  failed: number;
  startedAtMs: number;
  /** Messages with results that nobody has taken yet. */
  resultsWaiting: number;
}

export interface FleetLimit {
  label: string;
  concurrent: number | null;
  perMinute: number | null;
  /** Runs that hold a place now. */
  underWay: number;
}

export interface FleetTrouble {
  kind: "stalled" | "parked" | "refused";
  study: string;
  /** A run, or a message. */
  what: string;
  why: string;
}
