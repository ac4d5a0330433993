import type { Target } from "./target.ts";

/** The targets that ship with Assay, each loaded when it is used. */
export const shippedTargets: Readonly<Record<string, () => Promise<Target>>> = {
  "sched-sim": async () => (await import("./sched-sim/index.ts")).schedSim as unknown as Target,
  learn: async () => (await import("./learn/index.ts")).learn as unknown as Target,
  noop: async () => (await import("./noop.ts")).noop as Target,
};
