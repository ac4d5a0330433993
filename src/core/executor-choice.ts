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
