import { resolve } from "node:path";
import { loadModule } from "assay/plugin";
import { isPolicyPath } from "./index.ts";
import type { Policy } from "./policy.ts";
import { resolvePolicy } from "./resolve-policy.ts";

/** The policy that a parameter names. */
export async function loadPolicy(policy: string, baseDir: string): Promise<Policy> {
  if (!isPolicyPath(policy)) return resolvePolicy(policy);
  return resolvePolicy(await loadModule(resolve(baseDir, policy), "policy"));
}
