import { type Member, markMember } from "./family.ts";
import type { Attempt, Outcome, Run, RunRecord } from "./run.ts";
import type { ServiceRef } from "./service.ts";
import type { InstrumentRef, Limits, ModelAccess, Study, TargetRef } from "./study.ts";

/** What all runs of a study share, as plain data: it can travel to another thread, process or machine. */
export interface Setting {
  target: TargetRef;
  studyDir: string;
  /** Where runs keep what survives from one try to the next; in the study's folder unless told. */
  stateRoot?: string;
  /** Of a scorer: the folder of the study whose outputs it scores. */
  scoredDir?: string;
  /** The folder of the study file. */
  baseDir: string;
  artifacts: Study["artifacts"];
  limits: Limits;
  /** Calls of a module, or launches of a program, within one run. */
  iterations: Study["iterations"];
  instruments: InstrumentRef[];
  /** Users' files that add to families: instruments, sandboxes, models. */
  plugins: string[];
  /** Each run with a folder gets result files, with these facts; undefined for none. */
  result?: ResultFacts;
  env: Record<string, string>;
  /** Whether targets that can trace their runs do; they do unless it is false. */
  trace?: boolean;
  traffic?: TrafficOptions;
  jobs: number;
  /** One for each of the jobs, where the study names them: its environment variables. */
  slots?: Record<string, string>[];
  /** What runs beside the runs. */
  services?: ServiceRef[];
  models?: ModelAccess;
  /** What earlier launches of the study cost; undefined is nothing. */
  spentUsd?: number;
  /** Runs that were under way when the launch before was killed, with when it was last alive (ms since 1970). */
  lastSeenMs?: Record<string, number>;
  /** What the study says to the executors that leave this machine. */
  queue?: QueueOptions;
  slurm?: SlurmOptions;
}

/** What becomes of the calls that agents make to their models: kept with the run, or answered by something else. */
export interface TrafficOptions {
  record?: boolean;
  /** The folder of the study whose runs were recorded. */
  replay?: string;
  /** The shell commands that a model of ours asks for, one after the other, instead of theirs. */
  scripted?: readonly string[];
  /** How that model's calls fail. */
  fault?: string;
}

/** Nobody pays for calls that a recording or a model of ours answers, and no key is needed. */
export function isUnpaid({ replay, scripted, fault }: TrafficOptions = {}): boolean {
  return replay !== undefined || scripted !== undefined || fault !== undefined;
}

/** What the result files of all runs of a launch have in common, as plain data. */
export interface ResultFacts {
  name: string;
  target: string;
  /** Which state of the target's code was measured. */
  program: string;
  tags: string[];
  notes: string | null;
  spec: { path: string; hash: string };
  environment: Record<string, unknown>;
  packages: Record<string, string>;
  vcs: {
    commit: string;
    committedAt: string;
    branch: string;
    dirty: boolean;
    diffHash: string | null;
  } | null;
}

/** One try at a run, as plain data. */
export interface Job {
  run: Run;
  attempt: number;
  /** Tries of this attempt that something ended from outside: a dead worker, a cluster. The next one counts on. */
  cut?: number;
  /** Killed tries that left a folder, and that an earlier attempt's result has told of already. */
  told?: number;
  /** An earlier attempt has ended well: until this one has ended, too, its files stay what they are. */
  hasResult?: boolean;
  /** Variables of this try alone: where its services and models are. */
  env?: Record<string, string>;
  /** What the run left is there: only what scorers make of it is asked for. */
  generated?: RunRecord;
}

/**
 * Carries out jobs. A failed run is a result like any other; only what stops the whole study (a full disk, a
 * bug) is thrown. When the signal aborts, what runs is ended at once and comes back as cancelled.
 */
export interface Executor {
  name: string;
  /** How many jobs may be under way now. */
  readonly capacity: number;
  /** Spent in this launch on tries that no record has, since their runs were recorded before they ended. */
  readonly lateCostUsd?: number;
  execute(job: Job, signal: AbortSignal): Promise<Attempt>;
  /** Ends one run at once, which comes back with this outcome; one that is not under way is nothing. */
  cancel?(runId: string, outcome: Outcome): void;
  /** Goes on with so many jobs at once; absent where somebody else decides that. */
  resize?: ((jobs: number) => void) | undefined;
  /** Tells what the user should know while runs wait or run, such as why a cluster holds them back. */
  listen?(onNotice: (text: string) => void): void;
  /** Gives back what has not started yet as skipped; lets what runs finish. */
  drain(): void;
  /** Ends what the executor keeps alive between jobs. */
  close(): Promise<void>;
}

/** What makes an executor for the runs of one launch. */
export interface ExecutorKind extends Partial<Member> {
  description: string;
  /** Its runs run on other machines, so this one need not have what they need. */
  isAway?: true;
  /** `open` gives an executor that ships, for one that builds on it. */
  create(setting: Setting, open: OpenExecutor): Promise<Executor>;
}

export type OpenExecutor = (kind: string, setting: Setting) => Promise<Executor>;

/** Declares an executor of your own: `export default defineExecutor({...})`. */
export function defineExecutor<K extends ExecutorKind & Member>(kind: K): K {
  return markMember("executor", kind);
}

/** Where runs run. */
export interface ExecutorChoice {
  /** Empty: as the target needs it. */
  kind: string;
  /** Runs at the same time; 0 is as many as the machine has cores. */
  jobs: number;
  /** Environment variables of each place where a run can run, such as one graphics card each; as many runs at once. */
  slots?: Record<string, string>[];
  queue?: QueueOptions;
  slurm?: SlurmOptions;
}

/** For the executor `queue`. The address may hold a password, so it is never part of a study that is written down. */
export interface QueueOptions {
  /** Only a worker that has all of this takes a run of the study. */
  needs?: { cores?: number; memoryMb?: number; labels?: string[] };
  /** A study with a higher one goes before others. */
  priority?: number;
  /** Fleet-wide bounds on all runs that carry a label, such as a model provider's name. */
  limits?: { label: string; concurrent?: number; perMinute?: number }[];
  /** Runs that kill their worker so often are parked and named. */
  mostDeaths?: number;
  /** Where files of runs come back through: the queue itself, a folder that all machines share, or s3://bucket/prefix. */
  files?: string;
}

/** For the executor `slurm`. */
export interface SlurmOptions {
  partition?: string;
  account?: string;
  qos?: string;
  /** Of one array task, as Slurm writes it or as a duration. */
  time?: string;
  memory?: string;
  cpus?: number;
  gres?: string;
  /** Array tasks at the same time. */
  concurrent?: number;
  /** Runs that one array task does, one after the other. */
  pack?: number;
  /** More arguments for sbatch. */
  extra?: string[];
}
