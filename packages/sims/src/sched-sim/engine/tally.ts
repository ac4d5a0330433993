/** Counts over all workflows of a run. */
export interface Tally {
  events: number;
  attemptsStarted: number;
  attemptsFinished: number;
  attemptsFailed: number;
  attemptsCancelled: number;
  timeouts: number;
  escalations: number;
  hedgesLaunched: number;
  hedgesStarted: number;
  hedgesWon: number;
}

export function emptyTally(): Tally {
  return {
    events: 0,
    attemptsStarted: 0,
    attemptsFinished: 0,
    attemptsFailed: 0,
    attemptsCancelled: 0,
    timeouts: 0,
    escalations: 0,
    hedgesLaunched: 0,
    hedgesStarted: 0,
    hedgesWon: 0,
  };
}
