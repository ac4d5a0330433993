import { summaryOptions } from "./options.ts";
import { defineStrategy } from "./strategy.ts";
import { viewCheckpoints } from "./view-checkpoints.ts";

/** Old turns give way to a summary that a model writes. */
export const llmSummary = defineStrategy({
  name: "llm_summary",
  description: "once sum_n + sum_keep_m turns are there, the oldest sum_n become a checkpoint",
  options: summaryOptions,
  view: viewCheckpoints,
});
