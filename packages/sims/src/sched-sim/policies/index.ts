import { budgetPaced } from "./budget-paced.ts";
import { dagCheapest } from "./dag-cheapest.ts";
import { dagEscalation } from "./dag-escalation.ts";
import { fifoCheapest } from "./fifo-cheapest.ts";
import { full } from "./full.ts";
import type { Policy } from "./policy.ts";
import { srptCheapest } from "./srpt-cheapest.ts";

const shipped = [fifoCheapest, dagCheapest, dagEscalation, full, srptCheapest, budgetPaced];

/** The policies that ship, by name. */
export const policies: ReadonlyMap<string, Policy> = new Map(shipped.map((policy) => [policy.name, policy]));

/** Whether a `policy` parameter names a file and not a policy. */
export function isPolicyPath(policy: string): boolean {
  return policy.startsWith(".") || policy.startsWith("/") || /\.[cm]?[jt]s$/.test(policy);
}
