import { byCriticalPath } from "./parts/by-critical-path.ts";
import { escalateWhenWorthIt } from "./parts/escalate-when-worth-it.ts";
import { hedgePastP95 } from "./parts/hedge-past-p95.ts";
import { definePolicy } from "./policy.ts";

export const budgetPaced = definePolicy({
  name: "budget_paced",
  description:
    "Like full, but spends only what is left after the cheapest price for all that may still come.",
  priority: byCriticalPath,
  route: (call, options, settings) => {
    const wanted = escalateWhenWorthIt(call, options, settings);
    return options[wanted]!.priceUsd <= call.spareUsd ? wanted : 0;
  },
  hedgeAfterS: (call, running, settings) =>
    running.priceUsd <= call.spareUsd ? hedgePastP95(call, running, settings) : null,
});
