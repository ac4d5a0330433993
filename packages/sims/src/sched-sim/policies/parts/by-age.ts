import type { Policy } from "../policy.ts";

/** First ready, first served. */
export const byAge: Policy["priority"] = (call) => -call.readyS;
