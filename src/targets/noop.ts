import * as z from "zod";
import { defineTarget } from "./target.ts";

/** Does nothing: what a study of it costs is the cost of the harness. */
export const noop = defineTarget({
  name: "noop",
  version: "1",
  description: "does nothing; measures the harness itself",
  params: z.looseObject({ value: z.number().default(0).describe("returned as the metric `value`") }),
  metrics: { value: { unit: "1", direction: "none" } },
  run: ({ params }) => ({ value: params.value }),
});
