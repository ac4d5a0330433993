import type { Policy } from "../policy.ts";
import { isReasoning } from "./escalate-when-worth-it.ts";

/** A duplicate for a language-model call that has run far longer than its like usually do. */
export const hedgePastP95: NonNullable<Policy["hedgeAfterS"]> = (call, running, { hedgeAfterP95 }) =>
  isReasoning(call.type) && running.serviceP95S !== null ? hedgeAfterP95 * running.serviceP95S : null;
