import { byCriticalPath } from "./parts/by-critical-path.ts";
import { cheapest } from "./parts/cheapest.ts";
import { definePolicy } from "./policy.ts";

export const dagCheapest = definePolicy({
  name: "dag_cheapest",
  description: "The longest remaining critical path first, every call on the cheapest tier.",
  priority: byCriticalPath,
  route: cheapest,
});
