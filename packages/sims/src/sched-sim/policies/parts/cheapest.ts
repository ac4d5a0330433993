import type { Policy } from "../policy.ts";

/** Always the lowest price. */
export const cheapest: Policy["route"] = () => 0;
