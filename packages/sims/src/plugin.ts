/** What users' own files may take from this package; `assay/plugin` passes it on. */
export type { Call, Policy, PolicySettings, TierOption } from "./sched-sim/policy.ts";
export { definePolicy } from "./sched-sim/policy.ts";
