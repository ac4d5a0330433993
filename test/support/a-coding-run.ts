import type { Owner, RunRecord } from "../../src/core/run.ts";
import { aRecord } from "./a-study.ts";

interface RolloutPart {
  task: string;
  seed: number;
  model?: string;
  score?: number | null;
  costUsd?: number | null;
  /** It failed, by whose fault. */
  owner?: Owner;
  seconds?: number;
}

/** The record of one rollout; what a test does not say is a solved one. */
export function aRollout(part: RolloutPart): RunRecord {
  const { task, seed, model = "m", score = 1, costUsd = 0.1, owner, seconds = 2 } = part;
  const digest = Buffer.from(`${task}${model}${seed}`).toString("hex").slice(-12).padStart(12, "0");
  return aRecord({
    id: `${model}__${task}__rollout${seed}__${digest}`,
    ...{ task, seed, params: { model }, program: "rollout@1", wallMs: seconds * 1000 },
    outcome: owner ? { status: "failed", owner, reason: `by ${owner}` } : { status: "ok" },
    metrics: {
      agent_seconds: seconds,
      cost_usd: costUsd,
      ...(owner === undefined && score !== null && { score, solved: score >= 1 ? 1 : 0 }),
    },
    labels: { patch: "plain", agent_exit: "0" },
  });
}
