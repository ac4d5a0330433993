/** How a task ended before its last run, as Slurm tells it. */
export interface TaskEnd {
  /** Such as 4711_3. */
  name: string;
  /** `GONE` where Slurm knows nothing of the task any more. */
  state: string;
  node: string;
  /** Of `scontrol show job`, such as ExitCode and TimeLimit; empty where it is gone. */
  facts: Record<string, string>;
  /** No other run of the pack had been begun since the task started. */
  hadAllTime: boolean;
}

/** What becomes of the runs that a task left. "again" is bounded by who counts. */
export interface Judgement {
  reason: string;
  underWay: "again" | "failed";
  notBegun: "again" | "failed";
}

const ENDED = new Set([
  "BOOT_FAIL",
  "CANCELLED",
  "COMPLETED",
  "DEADLINE",
  "FAILED",
  "NODE_FAIL",
  "OUT_OF_MEMORY",
  "PREEMPTED",
  "REVOKED",
  "TIMEOUT",
  "GONE",
]);

/** Whether a task in this state runs no more and won't again by itself. */
export function isEnded(state: string): boolean {
  return ENDED.has(state);
}

/**
 * The cluster's own doing (a dead node, preemption) is no attempt of the run: it runs again. A limit that the run alone
 * ran into, a crash under it and a cancellation from outside are failures of infrastructure, which the study's
 * `retries` decide about: an administrator who cancels is not argued with for long.
 */
export function judgeEnd({ name, state, node, facts, hadAllTime }: TaskEnd): Judgement {
  const where = node === "" ? "" : ` on ${node}`;
  switch (state) {
    case "CANCELLED":
      return {
        reason: `its Slurm task ${name} was cancelled from outside`,
        underWay: "failed",
        notBegun: "failed",
      };
    case "TIMEOUT":
    case "DEADLINE": {
      const limit = facts.TimeLimit ? ` of ${facts.TimeLimit}` : "";
      const reason = `Slurm's time limit${limit} ended its task ${name}${where}`;
      const remedy = "; ask for more with executor.slurm.time";
      return hadAllTime
        ? { reason: reason + remedy, underWay: "failed", notBegun: "again" }
        : { reason, underWay: "again", notBegun: "again" };
    }
    case "OUT_OF_MEMORY": {
      const reason = `its Slurm task ${name} ran out of memory${where}; ask for more with executor.slurm.memory`;
      return { reason, underWay: "again", notBegun: "again" };
    }
    case "NODE_FAIL":
    case "BOOT_FAIL":
    case "PREEMPTED":
    case "REVOKED":
      return {
        reason: `Slurm ended its task ${name}${where} (${state})`,
        underWay: "again",
        notBegun: "again",
      };
    case "GONE":
      return { reason: `Slurm knows its task ${name} no more`, underWay: "again", notBegun: "again" };
    default: {
      const code = facts.ExitCode ? `, exit code ${facts.ExitCode}` : "";
      const reason = `its Slurm task ${name} crashed${where} (${state}${code})`;
      return { reason, underWay: "failed", notBegun: "again" };
    }
  }
}
