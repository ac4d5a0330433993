import { rolloutRun } from "../../src/analysis/solving/rollout-run.ts";
import { type RolloutsSummary, summariseRollouts } from "../../src/analysis/solving/summarise-rollouts.ts";
import type { Owner, RunRecord } from "../../src/core/run.ts";
import { designOf } from "../../src/design/design.ts";
import { metricFacts } from "../../src/design/metric.ts";
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

/** What rollouts come to, whose arms are their models. */
export function summaryOf(records: readonly RunRecord[]): RolloutsSummary {
  const design = designOf([{ label: "m", dir: "", study: undefined, records }]);
  const score = { ...metricFacts("score"), goal: "maximize" as const, failure: "worst" as const };
  const armOf = new Map(design.runs.map(({ record, arm }) => [record.id, arm]));
  return summariseRollouts(
    records.map((record) => rolloutRun(record, armOf.get(record.id)!)),
    { design, score },
  );
}
