import type { Metrics } from "../../../core/run.ts";
import type { ImportedTrial } from "../import-reader.ts";
import type { Verdict } from "../verdict.ts";

interface Facts {
  instance: string;
  /** As the harness writes it in the names of files. */
  model: string;
  run: string;
  verdict: Verdict;
  metrics: Metrics;
  exit: string;
  trajectory?: string | undefined;
}

/** The harness knows models only: whatever agent made the predictions is part of that name. */
export function trialOf({ instance, model, run, verdict, metrics, exit, trajectory }: Facts): ImportedTrial {
  return {
    key: `${run}/${model}/${instance}`,
    task: instance,
    agent: null,
    model: model === "" ? null : model.replace("__", "/"),
    outcome: verdict.outcome,
    metrics: { ...verdict.metrics, ...metrics },
    labels: { exit, job: run },
    ...(trajectory !== undefined && { trajectory }),
  };
}
