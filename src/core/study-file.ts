import type { MetricInfos } from "./metric-info.ts";
import type { Study } from "./study.ts";

/** study.json: what a folder of results is about, and where and how they came to be. */
export interface StudyFile {
  /** Of the files in the folder; raised when a reader must know. */
  format: 1;
  name: string;
  program: string;
  study: Study;
  /** What the target says of its metrics; absent for programs, and in what older versions wrote. */
  metrics?: MetricInfos;
  /** Runs that the plan has. */
  total: number;
  spec: { path: string; dialect: string; hash: string; text: string };
  environment: Record<string, unknown>;
  packages: Record<string, string>;
  git: Record<string, unknown> | null;
  /** Every launch on this folder, oldest first. */
  launches: Launch[];
}

export interface Launch {
  at: string;
  command: string;
  specHash: string;
  program: string;
  /** Stands for everything that decides which runs there are. */
  plan: string;
  /** The checkout around the study file; null outside of git, absent in what older versions wrote. */
  git?: LaunchCommit | null;
}

/** Which state of the code a launch measured. */
export interface LaunchCommit {
  commit: string;
  committedAt: string;
  /** Stands for the uncommitted changes to files that git knows; null where there are none. */
  changes: string | null;
}
