import { hybrid } from "./hybrid.ts";
import { llmSummary } from "./llm-summary.ts";
import { observationMasking } from "./observation-masking.ts";
import { raw } from "./raw.ts";
import type { Strategy } from "./strategy.ts";

/** The context strategies that ship with Assay. */
export const strategies: Readonly<Record<string, Strategy>> = {
  raw: raw as unknown as Strategy,
  observation_masking: observationMasking as unknown as Strategy,
  llm_summary: llmSummary as unknown as Strategy,
  hybrid: hybrid as unknown as Strategy,
};
