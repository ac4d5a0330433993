/** Lets calls through: as many at once as a provider bears, and none that the study's budget can't pay. */
export interface Gate {
  /** Waits for its turn. Throws a ModelError (budget) when the money is spent, and the signal's reason when it aborts. */
  admit(call: GateCall): Promise<Ticket>;
}

export interface GateCall {
  /** Calls under one name share a limit on how many are under way. */
  provider: string;
  /** The most that the call can cost; null where its price is unknown. */
  worstUsd: number | null;
  signal: AbortSignal;
}

export interface Ticket {
  /** At most once, as soon as it is known: the provider has taken the call. */
  accept?(): void;
  /** Once for each call, whatever came of it. */
  settle(report: CallReport): void;
}

export interface CallReport {
  /** What it cost; null where that can't be known, which then counts as the worst. */
  costUsd: number | null;
  /** `limited`: the provider asked for less. */
  result: "ok" | "limited" | "failed";
  /** What it took, in and out, where that is known. */
  tokens?: number;
  /** The provider asked to be left alone for so long. */
  pauseMs?: number;
}
