import { maskObservations } from "./mask-observations.ts";
import { summaryOptions, wholeNumber } from "./options.ts";
import { defineStrategy } from "./strategy.ts";
import { viewCheckpoints } from "./view-checkpoints.ts";

/** Summaries first, then masking over what they leave. */
export const hybrid = defineStrategy({
  name: "hybrid",
  description: "checkpoints as llm_summary makes them, and the observations left are masked",
  options: (given) => ({
    ...summaryOptions(given),
    obsN: wholeNumber(given, "obs_n", { usual: 10, least: 1 }),
  }),
  view(messages, options) {
    const view = viewCheckpoints(messages, options);
    return { ...view, ...maskObservations(view.messages, options.obsN) };
  },
});
