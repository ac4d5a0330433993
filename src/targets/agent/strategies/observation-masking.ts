import { maskObservations } from "./mask-observations.ts";
import { wholeNumber } from "./options.ts";
import { defineStrategy } from "./strategy.ts";

/** Old tool output gives way to a line that says how much is missing. */
export const observationMasking = defineStrategy({
  name: "observation_masking",
  description: "keeps the last obs_n observations, and of the older ones only how long they were",
  options: (given) => ({ obsN: wholeNumber(given, "obs_n", { usual: 10, least: 1 }) }),
  view: (messages, { obsN }) => maskObservations(messages, obsN),
});
