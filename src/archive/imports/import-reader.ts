import { type Member, markMember } from "../../core/family.ts";
import type { Params } from "../../core/params.ts";
import type { Metrics, Outcome } from "../../core/run.ts";
import type { FoundFile } from "./found-file.ts";

/** Reads result files that another tool wrote. What a file does not say stays unknown. */
export interface ImportReader extends Member {
  /** By what its files are known, for people whose files are none of these. */
  looksFor: string;
  /** Whether a file is one of its result files; asked for every file of a folder, so a look at the name comes first. */
  claims(file: FoundFile): boolean;
  /** Thrown: a BrokenImport, when nothing of the file can be read. */
  read(file: FoundFile): Generator<ImportedTrial | ImportProblem>;
}

/** One try of an agent at a task, or one benchmark of a session, as another tool recorded it. */
export interface ImportedTrial {
  /** What tells it from all others of its format, wherever its files lie: a trial of the same key is the same trial. */
  key: string;
  task: string;
  agent: string | null;
  model: string | null;
  /** What it is known by instead of agent and model: a benchmark's commit, environment and machine. */
  params?: Params;
  /** The number that the tool gave it among the tries of the same agent at the same task. */
  rollout?: number;
  outcome: Outcome;
  metrics: Metrics;
  labels: Record<string, string>;
  startedAtMs?: number;
  wallMs?: number;
  costUsd?: number;
  /** A file with what the agent did, turn by turn. */
  trajectory?: string;
}

/** Something that should be a trial and can't be read: told in one line, and nothing else is lost. */
export interface ImportProblem {
  problem: string;
}

/** Why a file can't be read. */
export class BrokenImport extends Error {}

/** Declares an importer of your own: `export default defineImporter({...})`. */
export function defineImporter(reader: ImportReader): ImportReader {
  return markMember("importer", reader);
}
