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

/** Without those that nobody knows. */
export function labelsOf(labels: Record<string, string | null>): Record<string, string> {
  const entries = Object.entries(labels).filter((entry): entry is [string, string] => entry[1] !== null);
  return Object.fromEntries(entries);
}

/** Milliseconds since 1970 of a time as Python writes it; one without a zone is taken for UTC. */
export function timeMs(text: string | null): number | undefined {
  if (text === null) return undefined;
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/.test(text);
  const ms = Date.parse(hasZone ? text : `${text.replace(" ", "T")}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

export function millisecondsBetween(from: string | null, to: string | null): number | undefined {
  const start = timeMs(from);
  const end = timeMs(to);
  return start === undefined || end === undefined || end < start ? undefined : end - start;
}

export function secondsBetween(from: string | null, to: string | null): number | undefined {
  const ms = millisecondsBetween(from, to);
  return ms === undefined ? undefined : ms / 1000;
}
