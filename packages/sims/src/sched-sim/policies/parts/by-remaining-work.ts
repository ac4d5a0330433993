import type { Policy } from "../policy.ts";

/** The workflow with the least work left first (shortest remaining processing time; Schrage 1968). */
export const byRemainingWork: Policy["priority"] = (call) => -call.remainingWorkS;
