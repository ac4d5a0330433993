import { byCriticalPath } from "./parts/by-critical-path.ts";
import { escalateWhenWorthIt } from "./parts/escalate-when-worth-it.ts";
import { hedgePastP95 } from "./parts/hedge-past-p95.ts";
import { definePolicy } from "./policy.ts";

export const full = definePolicy({
  name: "full",
  description: "Critical path first, escalation, and a duplicate for calls that run past 1.5 times p95.",
  priority: byCriticalPath,
  route: escalateWhenWorthIt,
  hedgeAfterS: hedgePastP95,
});
