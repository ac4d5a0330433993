import { sims } from "../../packages/sims/src/index.ts";
import type { Target } from "./target.ts";

export { sims };

/** The targets that ship with Assay, each loaded when it is used. */
export const shippedTargets: Readonly<Record<string, () => Promise<Target>>> = {
  ...sims.targets,
  agent: async () => (await import("./agent/index.ts")).agent,
  rollout: async () => (await import("./coding/index.ts")).rollout,
  noop: async () => (await import("./noop.ts")).noop,
};

/** A shipped target with its version, as the identity of its runs has it; undefined where this Assay has none of that name. */
export async function shippedName(name: string): Promise<string | undefined> {
  const target = await shippedTargets[name]?.();
  return target && `${name}@${target.version ?? "0"}`;
}
