import { simulate } from "../../src/sched-sim/index.ts";
import { paramsSchema, type SimInput } from "../../src/sched-sim/params.ts";
import type { SimResult } from "../../src/sched-sim/result.ts";

/** A run with the defaults, apart from what is said. */
export function runSim(params: SimInput = {}, seed = 1): SimResult {
  return simulate(paramsSchema.parse(params), seed);
}

/** A workload that ends within a second of virtual time: enough for tests of mechanisms. */
export const SMALL: SimInput = { workflows: 4, pdfs: 2, subqueries: 2, iters: 2 };
