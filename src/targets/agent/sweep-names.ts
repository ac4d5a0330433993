import type { SweepReading } from "../target.ts";

const MASKING = "strategy in ['observation_masking', 'hybrid']";
const SUMMARIES = "strategy in ['llm_summary', 'hybrid']";

/** The flags of published sweeps of context strategies as parameters of this target, and where each does something. */
export const sweepNames: SweepReading = {
  names: {
    "summarizer-model": "summarizer_model",
    "hp-obs-n": "obs_n",
    "hp-sum-n": "sum_n",
    "hp-sum-keep-m": "sum_keep_m",
    "hp-sum-static-checkpoint": "static_checkpoint",
    "hp-sum-extract-actions": "extract_actions",
    "instances-subset": "instances_subset",
    "instances-slice": "instances_slice",
    "instances-shuffle": "instances_shuffle",
    "instances-shuffle-seed": "instances_shuffle_seed",
    "call-limit": "call_limit",
    "cost-limit": "cost_limit",
    // Workers are the study's: executor: {jobs}.
    "num-workers": null,
  },
  standIns: {
    param: "instances_subset",
    unless: "task_set",
    values: { lite: "all", verified: "all", multimodal: "all", full: "all", "verified-mini": "long" },
    because: "SWE-bench's instances are not among the tasks that ship; task_set: ./folder takes your own",
  },
  when: {
    summarizer_model: SUMMARIES,
    obs_n: MASKING,
    sum_n: SUMMARIES,
    sum_keep_m: SUMMARIES,
    static_checkpoint: SUMMARIES,
    extract_actions: SUMMARIES,
  },
};
