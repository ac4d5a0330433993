import type { PublishedRun } from "../../src/exporters/published-run.ts";

/** A run as tools that track experiments take it. */
export function aPublishedRun(part: Partial<PublishedRun> = {}): PublishedRun {
  return {
    id: "lr0.1__seed1__baseline__0123456789ab",
    study: "fit",
    arm: "lr=0.1",
    params: { lr: 0.1, seed: 1 },
    metrics: { loss: 0.5 },
    facts: { status: "ok" },
    outcome: { status: "ok" },
    startedAtMs: Date.UTC(2026, 10, 18),
    wallMs: 1500,
    readSteps: () => [],
    files: [],
    ...part,
  };
}
