import type { Attempt, Outcome, Run, RunRecord } from "../core/run.ts";

/** Makes metrics of what a run left. One that can't is no fault of the run's: its attempt has failed, the run has not. */
export interface Scorer {
  name: string;
  /** In front of its metrics; empty where the study does not name it. */
  prefix: string;
  /** Which state of it this is: with another one, outputs are scored again. */
  version: string;
  score(run: Run, signal: AbortSignal): Promise<Attempt>;
  cancel?(runId: string, outcome: Outcome): void;
  close(): Promise<void>;
}

/** The scorers that have not scored an output in the state that they have now. */
export function staleScorers(
  versions: Record<string, string>,
  { scored }: Pick<RunRecord, "scored">,
): string[] {
  return Object.keys(versions).filter((name) => scored?.[name]?.version !== versions[name]);
}

/** Why the output of a run is to be scored again; undefined where it need not be. */
export function reasonToScore(versions: Record<string, string>, record: RunRecord): string | undefined {
  const stale = staleScorers(versions, record);
  if (stale.length === 0) return undefined;
  const changed = stale.filter((name) => record.scored?.[name] !== undefined);
  return changed.length > 0 ? `scorer changed: ${changed.join(", ")}` : `not scored: ${stale.join(", ")}`;
}
