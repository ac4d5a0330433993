import type { NodeType } from "./workflow-graph.ts";

/** A step that is ready to run, as a scheduler sees it. Times in virtual seconds. */
export interface Call {
  workflow: number;
  type: NodeType;
  /** When it became ready; retries and hedges keep it. */
  readyS: number;
  /** Estimated time from its start to the end of the iteration, without waits. */
  remainingPathS: number;
  /** How much later it could end without delaying the iteration. */
  slackS: number;
  /** Estimated work that the workflow still has in this iteration. */
  remainingWorkS: number;
  /** What the workflow could spend beyond the cheapest price for all that it may still need. */
  spareUsd: number;
}

/** A tier that the workflow can still pay for. */
export interface TierOption {
  tierId: number;
  priceUsd: number;
  /** p95 of recent waits; 0 when a call could start at once. */
  expectedWaitS: number;
  serviceP50S: number;
  /** Null until there are samples enough to speak of a p95. */
  serviceP95S: number | null;
}

/** The parameters that policies use. */
export interface PolicySettings {
  escalationMinSPerCent: number;
  hedgeAfterP95: number;
  weights: { path: number; slack: number; age: number };
}

/**
 * What a scheduler decides. Policies are pure: they see the past through the estimates in their arguments,
 * never the future, and they keep nothing (the arguments are reused after the call).
 */
export interface Policy {
  name: string;
  description: string;
  /** Larger goes first, equal in order of coming. Asked once, when the call joins a queue. */
  priority(call: Call, settings: PolicySettings): number;
  /** The position of the tier to take; `options` is never empty and is sorted by price. */
  route(call: Call, options: readonly TierOption[], settings: PolicySettings): number;
  /** After how many seconds of running to launch a duplicate elsewhere; null is never. */
  hedgeAfterS?(call: Call, running: TierOption, settings: PolicySettings): number | null;
}

/** Declares a policy in a file of one's own: `export default definePolicy({...})`. */
export function definePolicy(policy: Policy): Policy {
  return policy;
}
