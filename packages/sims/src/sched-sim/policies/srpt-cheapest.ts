import { byRemainingWork } from "./parts/by-remaining-work.ts";
import { cheapest } from "./parts/cheapest.ts";
import { definePolicy } from "./policy.ts";

export const srptCheapest = definePolicy({
  name: "srpt_cheapest",
  description: "The workflow with the least work left first, which favours the mean; the cheapest tier.",
  priority: byRemainingWork,
  route: cheapest,
});
