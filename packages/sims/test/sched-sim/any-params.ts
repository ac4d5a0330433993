import fc from "fast-check";
import type { SimInput } from "../../src/sched-sim/params.ts";
import { policies } from "../../src/sched-sim/policies.ts";

const tier = (provider: "embed_provider" | "llm_provider", tier_id: number) =>
  fc.record({
    provider: fc.constant(provider),
    tier_id: fc.constant(tier_id),
    rate_per_s: fc.constantFrom(null, 0.5, 3, 50),
    bucket: fc.integer({ min: 1, max: 10 }),
    concurrency: fc.integer({ min: 1, max: 4 }),
    price_usd: fc.constantFrom(0, 0.0001, 0.01, 0.05),
    p_fail: fc.constantFrom(0, 0.05, 0.4),
    timeout_ms: fc.constantFrom(null, 500, 5_000),
    speed: fc.constantFrom(0.5, 1, 3),
  });

const arrivals: fc.Arbitrary<NonNullable<SimInput["arrivals"]>> = fc.oneof(
  fc.constant({ kind: "all_at_once" as const }),
  fc.constantFrom(0.1, 5).map((rate_per_s) => ({ kind: "poisson" as const, rate_per_s })),
  fc.constantFrom(10, 3_000).map((interval_ms) => ({ kind: "interval" as const, interval_ms })),
);

/** Small workloads of every sort: scarce and plentiful, cheap and ruinous, with and without each ablation. */
export const anyParams: fc.Arbitrary<SimInput> = fc.record({
  workflows: fc.integer({ min: 1, max: 8 }),
  pdfs: fc.integer({ min: 1, max: 4 }),
  iters: fc.integer({ min: 1, max: 3 }),
  subqueries: fc.integer({ min: 1, max: 3 }),
  policy: fc.constantFrom(...policies.keys()),
  heavy_tail_prob: fc.constantFrom(0, 0.05, 0.5),
  enable_model_routing: fc.boolean(),
  disable_hedging: fc.boolean(),
  disable_escalation: fc.boolean(),
  disable_dag_priority: fc.boolean(),
  tiers: fc.tuple(tier("embed_provider", 0), tier("llm_provider", 0), tier("llm_provider", 1)),
  cpu_workers: fc.integer({ min: 1, max: 4 }),
  in_flight_cap: fc.constantFrom(1, 3, 200),
  budget_usd: fc.constantFrom(null, 0.06, 0.5, 4),
  arrivals,
  retries: fc.integer({ min: 0, max: 3 }),
  hedge_after_p95: fc.constantFrom(0.2, 1.5),
});
