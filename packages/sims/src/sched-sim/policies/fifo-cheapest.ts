import { byAge } from "./parts/by-age.ts";
import { cheapest } from "./parts/cheapest.ts";
import { definePolicy } from "./policy.ts";

export const fifoCheapest = definePolicy({
  name: "fifo_cheapest",
  description: "Steps in the order in which they became ready, every call on the cheapest tier.",
  priority: byAge,
  route: cheapest,
});
