import { type Metrics, type Owner, STATUSES, type Status } from "./run.ts";
import { fitting, number, objectWith, oneOf, optional, orNull, tableOf, text } from "./shape.ts";

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

const LATE = objectWith({
  id: text,
  attempt: number,
  worker: text,
  outcome: objectWith({ status: oneOf(STATUSES) }),
  metrics: tableOf(orNull(number)),
  startedAtMs: number,
  wallMs: number,
  costUsd: optional(number),
});

/** What late.jsonl says, oldest first; a line that a crash has torn, or a hand, is passed over. */
export function parseLateAttempts(text: string): LateAttempt[] {
  return text.split("\n").flatMap((line) => {
    try {
      return fitting<LateAttempt>(JSON.parse(line), LATE) ?? [];
    } catch {
      return [];
    }
  });
}
