import type { Params } from "../../src/core/params.ts";
import type { Outcome, RunRecord } from "../../src/core/run.ts";
import type { Distribution, Search } from "../../src/core/space.ts";

/** A search over parameters given by their distributions. */
export function aSearch(space: Record<string, Distribution>, changes: Partial<Search> = {}): Search {
  return {
    ...{ method: "random", options: {}, constraints: [], seed: 1 },
    space: Object.entries(space).map(([name, distribution]) => ({ name, path: [name], distribution })),
    objectives: [{ metric: "f", goal: "minimize" }],
    ...changes,
  };
}

/** One record of a run at a point. */
export function aResult(
  params: Params,
  metrics: RunRecord["metrics"],
  { seed = 1, outcome = { status: "ok" } as Outcome } = {},
): RunRecord {
  return {
    ...{
      id: `run__${JSON.stringify(params)}__${seed}__0123456789ab`,
      params,
      variant: "baseline",
      flags: [],
    },
    ...{ seed, task: null, repeat: 0, program: "p", attempt: 1, outcome, metrics },
    ...{ startedAtMs: 0, wallMs: 1 },
  };
}

export const unit: Distribution = { kind: "uniform", min: 0, max: 1, scale: "linear" };
export const failure: Outcome = { status: "failed", owner: "agent", reason: "broke" };
