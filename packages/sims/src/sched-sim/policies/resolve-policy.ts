import { suggestion, UserError } from "assay/plugin";
import { policies } from "./index.ts";
import type { Policy } from "./policy.ts";

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
