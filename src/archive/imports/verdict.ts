import { failed, type Metrics, OK, type Outcome, type Owner } from "../../core/run.ts";

export interface Verdict {
  outcome: Outcome;
  metrics: Metrics;
}

/** It was graded, however the agent ended. */
export function graded(score: number): Verdict {
  return { outcome: OK, metrics: { score, solved: score >= 1 ? 1 : 0 } };
}

/** It ended without a grade. What the agent is to blame for is a zero, everything else is missing. */
export function ungraded(owner: Owner, reason: string): Verdict {
  const metrics: Metrics = owner === "agent" ? { score: 0, solved: 0 } : {};
  return { outcome: failed(owner, reason), metrics };
}

/** The agent's time was over, and nobody graded what it had done. */
export function agentTimeout(reason: string): Verdict {
  return { outcome: { status: "timeout", owner: "agent", reason }, metrics: { score: 0, solved: 0 } };
}
