import type { Job, Setting } from "../core/executor.ts";
import type { Attempt } from "../core/run.ts";
import type { CodeManifest } from "./code/code-manifest.ts";
import type { Contents } from "./code/content-check.ts";
import { OLDEST_PROTOCOL, PROTOCOL } from "./envelope.ts";
import type { Parcel } from "./files/file-route.ts";
import type { Limit } from "./limits/limit.ts";
import type { Needs } from "./needs.ts";

/** What all runs of a study share, published once: chunks name it by its hash. */
export interface StudyMessage {
  name: string;
  setting: Setting;
  code: CodeManifest;
  needs: Needs;
  mostDeaths: number;
  /** What its runs are under, beside those of all other studies that name the same labels. */
  limits?: Limit[];
  /** How files of runs come back, as the study says it. */
  files: string;
  /** Of a shipped target, its name and version: a worker that has another version would measure something else. */
  shipped?: string;
}

/** What workers of the oldest protocol know of a setting. They would run a study without the rest of it, and not say so. */
type KnownOfOld = "target" | "studyDir" | "stateRoot" | "scoredDir" | "baseDir" | "artifacts" | "limits";
type KnownToo = "iterations" | "instruments" | "result" | "env" | "trace" | "traffic" | "jobs" | "slots";
/** `queue`, `slurm` and `spentUsd` are told otherwise, or not at all; of plugins, only instruments were known. */
type NotAsked = "lastSeenMs" | "plugins" | "queue" | "slurm" | "spentUsd";
const isNews: Record<Exclude<keyof Setting, KnownOfOld | KnownToo | NotAsked>, true> = {
  services: true,
  models: true,
};

/** The oldest protocol in which a study can be told. */
export function protocolOf(setting: Setting): number {
  const { target, plugins } = setting;
  const hasNews = Object.keys(isNews).some((key) => setting[key as keyof typeof isNews] !== undefined);
  return hasNews || target.kind === "shipped" || plugins.length > 0 ? PROTOCOL : OLDEST_PROTOCOL;
}

/** Runs that travel together: one while runs are long, many while they are short. */
export interface ChunkMessage {
  id: string;
  /** The hash of the study's message. */
  setting: string;
  /** Which launch of the study queued it. */
  launch: string;
  jobs: Job[];
  /** What each of them must find on the worker's machine, where they need anything there. */
  contents?: Contents[];
}

/** What a worker sends back, in batches. */
export interface ResultsMessage {
  worker: string;
  results: RunResult[];
  /** Chunks that were not run as they are: they are to be queued again, run by run. */
  returned: { chunk: string; reason: string }[];
}

export interface RunResult {
  runId: string;
  /** Which try it was, as the job said. */
  attempt: number;
  chunk: string;
  result: Attempt;
  /** Where the run's files are; absent where it left none. */
  parcel?: Parcel;
}

export function resultsQueue(study: string): string {
  return `results-${study}`;
}

/** Keys of the store. */
export const KEYS = {
  proof: "proof",
  classes: "classes",
  workers: "workers",
  orders: "orders",
  studies: "studies",
  limit: (label: string) => `limit/${label}`,
  /** What calls of a study's runs have taken, and may take. */
  purse: (study: string) => `study/${study}/purse`,
  launch: (study: string) => `study/${study}/launch`,
  message: (hash: string) => `message/${hash}`,
  blob: (hash: string) => `blob/${hash}`,
  /** Chunks that are under way, with their runs: what a coordinator that comes back goes on with. */
  index: (study: string) => `study/${study}/chunks`,
  /** Runs that may kill their workers, with how often they did. */
  suspects: (study: string) => `study/${study}/suspects`,
  /** Runs to be ended, by id; `*` is all of them. */
  cancels: (study: string) => `study/${study}/cancels`,
  /** Where the newest state of runs is that have no result yet, by id. */
  states: (study: string) => `study/${study}/states`,
  piece: (parcel: string, index: number) => `parcel/${parcel}/${index}`,
} as const;

/** A run's id names a folder on both sides, so it must be no path. */
export function isRunId(id: unknown): id is string {
  return typeof id === "string" && /^[^/\\\0]{1,255}$/.test(id) && id !== "." && id !== "..";
}
