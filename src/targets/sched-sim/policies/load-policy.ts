import { resolve } from "node:path";
import { isPolicyPath } from "./index.ts";
import type { Policy } from "./policy.ts";
import { resolvePolicy } from "./resolve-policy.ts";

/** The policy that a parameter names. Only a file of the user's own costs the loader of TypeScript. */
export async function loadPolicy(policy: string, baseDir: string): Promise<Policy> {
  if (!isPolicyPath(policy)) return resolvePolicy(policy);
  const { loadModule } = await import("../../load-module.ts");
  return resolvePolicy(await loadModule(resolve(baseDir, policy), "policy"));
}
