import { byAge } from "./parts/by-age.ts";
import { cheapest } from "./parts/cheapest.ts";
import type { Policy } from "./policy.ts";

interface Ablation {
  enable_model_routing: boolean;
  disable_hedging: boolean;
  disable_escalation: boolean;
  disable_dag_priority: boolean;
}

/** The policy without what the ablation takes away. A part it never had changes nothing, to the byte. */
export function ablate(policy: Policy, ablation: Ablation): Policy {
  const routing = ablation.enable_model_routing;
  const { hedgeAfterS, ...rest } = policy;
  return {
    ...rest,
    ...(ablation.disable_dag_priority && { priority: byAge }),
    ...((ablation.disable_escalation || !routing) && { route: cheapest }),
    ...(hedgeAfterS && routing && !ablation.disable_hedging && { hedgeAfterS }),
  };
}
