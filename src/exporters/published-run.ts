import type { Params } from "../core/params.ts";
import type { Outcome } from "../core/run.ts";

/** A run as tools that track experiments take it. */
export interface PublishedRun {
  /** The run's id here, by which it is found again there. */
  id: string;
  study: string;
  arm: string | null;
  /** What the study sets, and the run's place in it: seed, variant, task, repeat. */
  params: Params;
  /** Those that are known. */
  metrics: Record<string, number>;
  /** Texts: labels, how it ended, which program, which commit. */
  facts: Record<string, string>;
  outcome: Outcome;
  startedAtMs: number;
  wallMs: number;
  /** The lines of its series, as they were reported. */
  readSteps(): Record<string, unknown>[];
  /** What it left, by the name below its folder. */
  files: readonly PublishedFile[];
}

export interface PublishedFile {
  name: string;
  path: string;
}

/** What became of the runs: an export that is done again changes nothing. */
export interface Published {
  /** Where they are now. */
  place: string;
  added: number;
  changed: number;
  known: number;
  /** What could not be sent, one sentence each. */
  problems: string[];
}
