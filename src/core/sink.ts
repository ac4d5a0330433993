import type { Standing } from "./decider.ts";
import { type Member, markMember } from "./family.ts";
import type { Run, RunRecord } from "./run.ts";

/** What happens while a study runs. */
export type StudyEvent =
  | { kind: "planned"; total: number; finished: number; studyDir: string }
  | { kind: "started"; run: Run; reason: string }
  | { kind: "retrying"; run: Run; reason: string; waitMs: number }
  | { kind: "ended"; record: RunRecord }
  | { kind: "deciding"; standing: Standing }
  | { kind: "paused" | "resumed"; by: string }
  | { kind: "adjusted"; by: string; jobs?: number; costUsd?: number; wallMs?: number }
  /** So many runs that the infrastructure broke are done again. */
  | { kind: "repeating"; by: string; runs: number }
  | { kind: "stopping"; why: string }
  | { kind: "notice"; text: string }
  | { kind: "closed"; summary: StudySummary };

export interface StudySummary {
  total: number;
  /** Runs that had a good record before. */
  skipped: number;
  ok: number;
  /** Runs that the study's own rule ended: no failures, and no full results either. */
  stoppedEarly: number;
  failed: number;
  cancelled: number;
  /** Runs that were never started. */
  left: number;
  wallMs: number;
  costUsd: number;
  /** Why it ended before its last run, if it did. */
  stopped?: "interrupted" | "fail-fast" | "budget";
}

/** Where live events go. It gets all of them, in order, and must not throw. */
export interface Sink {
  handle(event: StudyEvent): void;
  close?(): void;
}

/** What opens a sink for each launch of a study whose `plugins:` name its file. */
export interface SinkKind extends Member {
  description: string;
  open(study: { name: string; studyDir: string }): Sink;
}

/** Declares a sink of your own: `export default defineSink({...})`. */
export function defineSink(kind: SinkKind): SinkKind {
  return markMember("sink", kind);
}
