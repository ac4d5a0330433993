import type { Metrics, Owner, Status } from "./run.ts";

/**
 * A try at a run that is no result, since the run has one: a worker that was taken for dead was not, or a run was to be
 * done again and then cancelled. It stands in late.jsonl, beside the journal: it was paid for.
 */
export interface LateAttempt {
  id: string;
  /** One more than that of the record. */
  attempt: number;
  worker: string;
  outcome: { status: Status; owner?: Owner };
  metrics: Metrics;
  startedAtMs: number;
  wallMs: number;
  costUsd?: number;
}

/** What late.jsonl says, oldest first; a line that a crash has torn is passed over. */
export function parseLateAttempts(text: string): LateAttempt[] {
  return text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as LateAttempt];
    } catch {
      return [];
    }
  });
}
