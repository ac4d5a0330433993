import { byCriticalPath } from "./parts/by-critical-path.ts";
import { escalateWhenWorthIt } from "./parts/escalate-when-worth-it.ts";
import { definePolicy } from "./policy.ts";

export const dagEscalation = definePolicy({
  name: "dag_escalation",
  description: "Critical path first; a dearer tier where it saves enough seconds for its price.",
  priority: byCriticalPath,
  route: escalateWhenWorthIt,
});
