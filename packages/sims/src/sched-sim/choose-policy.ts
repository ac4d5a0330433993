import { resolve } from "node:path";
import { loadModule, suggestion, UserError } from "assay/plugin";
import { byAge, cheapest, isPolicyPath, policies } from "./policies.ts";
import type { Policy } from "./policy.ts";

/** The policy that a parameter names. */
export async function loadPolicy(policy: string, baseDir: string): Promise<Policy> {
  if (!isPolicyPath(policy)) return resolvePolicy(policy);
  return resolvePolicy(await loadModule(resolve(baseDir, policy), "policy"));
}

/** The shipped policy of that name, or the one that a user's file has given. */
export function resolvePolicy(policy: string | unknown): Policy {
  if (typeof policy !== "string") return checkPolicy(policy);
  const shipped = policies.get(policy);
  if (shipped) return shipped;
  throw new UserError(`there is no policy "${policy}"`, { remedy: suggestion(policy, policies.keys()) });
}

function checkPolicy(value: unknown): Policy {
  const policy = value as Partial<Policy> | null | undefined;
  for (const method of ["priority", "route"] as const) {
    if (typeof policy?.[method] !== "function") {
      const remedy = 'Write "export default definePolicy({name, description, priority, route})".';
      throw new UserError(`a policy needs a function ${method}`, { got: typeof policy?.[method], remedy });
    }
  }
  return policy as Policy;
}

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
