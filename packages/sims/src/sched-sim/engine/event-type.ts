/** What can happen, as the types of events in the heap, with what their `a` and `b` mean. */
export const WORKFLOW_ARRIVES = 0; // a: workflow
export const ATTEMPT_ENDS = 1; // a: slot, b: generation
export const HEDGE_DUE = 2; // a: slot, b: generation
export const RETRY_DUE = 3; // a: place, b: iteration
export const TOKEN_READY = 4; // a: station
