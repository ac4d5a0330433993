import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Job, Setting } from "../../core/executor.ts";
import type { Attempt, EarlierAttempt, Outcome } from "../../core/run.ts";

/**
 * What a job array and its coordinator share: one folder per batch below `<studyDir>/slurm/`, on the file system that
 * all nodes see. The coordinator writes `setting.json`, `chunks/`, `job.json`, `orders.jsonl` and `verdicts.jsonl`; a
 * task writes a file of its own in `results/`. So each file has one writer, and nothing needs a lock.
 */
export interface BatchSetting {
  /** Without the values of its environment: they travel through Slurm, never through a file. */
  setting: Setting;
  envNames: string[];
  /** Where the study was started: modules may count on it. */
  cwd: string;
}

/** A run of one array task, with what the cluster did to it before. */
export interface Assigned {
  job: Job;
  /** What tries had cost that the cluster ended. */
  lost?: EarlierAttempt[];
  /** How often it was under way when the cluster ended its task. */
  kills: number;
  /** How often a task ended before the run could begin. */
  moves: number;
}

export type ResultLine =
  | { kind: "up"; jobId: string; node: string; restart: number }
  | { kind: "begun"; run: string; attempt: number; atMs: number }
  | { kind: "ended"; run: string; attempt: number; result: Attempt }
  /** The task was told to end while this run was under way. */
  | { kind: "cut"; run: string; attempt: number; wallMs: number; costUsd?: number; isPreempted?: true }
  /** Something that stops the whole study. */
  | { kind: "broken"; message: string; isUsers: boolean; isMachines: boolean }
  | { kind: "done" };

/** What the coordinator tells tasks that are under way. */
export type Order = { kind: "stop" } | { kind: "cancel"; run: string; outcome: Outcome };

/** What the coordinator itself concluded of a run that its task could not finish. */
export interface Verdict {
  run: string;
  attempt: number;
  result: Attempt;
}

export function makeBatchFolder(dir: string, shared: BatchSetting, chunks: Assigned[][]): void {
  for (const name of ["chunks", "results", "log"]) mkdirSync(`${dir}/${name}`, { recursive: true });
  writeFileSync(`${dir}/setting.json`, JSON.stringify(shared));
  for (const [index, chunk] of chunks.entries()) writeFileSync(chunkPath(dir, index), JSON.stringify(chunk));
}

export function chunkPath(dir: string, index: number): string {
  return `${dir}/chunks/${index}.json`;
}

/** One file a start of the task: what Slurm starts again may meet a writer that is not quite dead. */
export function resultsPath(dir: string, index: number, restart: number): string {
  return `${dir}/results/${index}.${restart}.jsonl`;
}

export function appendLine(path: string, value: Order | Verdict): void {
  appendFileSync(path, `${JSON.stringify(value)}\n`);
}

/** The whole lines of a file that may be missing, or torn at its end. */
export function readLines<T>(path: string): T[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return [];
  }
  return parseLines<T>(text.slice(0, text.lastIndexOf("\n") + 1));
}

/** Lines that are no JSON are passed over: a crash may have left half of one. */
export function parseLines<T>(text: string): T[] {
  return text.split("\n").flatMap((line) => {
    if (line === "") return [];
    try {
      return [JSON.parse(line) as T];
    } catch {
      return [];
    }
  });
}
