import type { Policy } from "../policy.ts";

/**
 * The longest remaining path first, then the least slack, with age against starving. All waiting calls age
 * at the same pace, so -readyS orders them just as age would, and the key never has to be computed anew.
 */
export const byCriticalPath: Policy["priority"] = (call, { weights }) =>
  weights.path * call.remainingPathS + weights.slack / (1 + call.slackS) - weights.age * call.readyS;
