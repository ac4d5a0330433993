import type { Job } from "../../core/executor.ts";
import type { Attempt, Outcome } from "../../core/run.ts";

/** What stands ready for runs beside their own program: services, and the way to models. */
export interface Provision {
  /** Before a try begins. Throws a `RunFailure` where there is nothing that it could use. */
  begin(job: Job, place: Place): Promise<Provided>;
  close(): Promise<void>;
}

/** Where a try runs, as seen from what stands beside it. */
export interface Place {
  /** From 0; no other try has it meanwhile. Tries that have one after the other may share a process. */
  lane: number;
  /** What other provisions have given it. */
  env: Record<string, string>;
  signal: AbortSignal;
  /** Ends the try with this outcome, once it is under way. */
  end(outcome: Outcome): void;
}

export interface Provided {
  /** Variables that the try gets. */
  env: Record<string, string>;
  /** What the try is, as far as can be told from beside it. */
  judge(attempt: Attempt): Promise<Attempt> | Attempt;
}
