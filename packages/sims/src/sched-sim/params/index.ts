import * as z from "zod";
import { policies } from "../policies/index.ts";
import { checkTogether } from "./check-together.ts";
import { servicesSchema } from "./service.ts";
import { DEFAULT_TIERS, tierSchema } from "./tiers.ts";

const share = () => z.number().min(0).max(1);

const arrivalsSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("all_at_once") }),
  z.strictObject({ kind: z.literal("poisson"), rate_per_s: z.number().positive() }),
  z.strictObject({ kind: z.literal("interval"), interval_ms: z.number().positive() }),
]);

const stopSchema = z.strictObject({
  coverage: share().default(0.6).describe("Stop when this share of pdfs is covered ..."),
  confidence: share().default(0.5).describe("... and confidence is at least this"),
  early_coverage: share().default(0.45).describe("Or, by chance, when this share is covered ..."),
  early_confidence: share().default(0.35).describe("... with at least this confidence ..."),
  early_prob: share().default(0.3).describe("... with this probability"),
});

const weightsSchema = z.strictObject({
  path: z.number().default(1).describe("Of the remaining critical path, per second"),
  slack: z.number().default(0.5).describe("Of 1 / (1 + slack in seconds)"),
  age: z.number().default(0.1).describe("Of the time since the step became ready, per second"),
});

/** Every parameter of the simulator. The seed is the run's, not a parameter. */
export const paramsSchema = z
  .strictObject({
    workflows: z.int().min(1).max(1_000_000).default(50).describe("Workflows in one run"),
    pdfs: z.int().min(1).max(1_000).default(10).describe("Documents that a workflow reads"),
    iters: z
      .int()
      .min(1)
      .max(100)
      .default(3)
      .describe("Iterations after which a workflow stops at the latest"),
    subqueries: z.int().min(1).max(1_000).default(4).describe("Searches in each document"),
    policy: z
      .string()
      .default("full")
      .describe(`${[...policies.keys()].join(", ")}, or the path of your own`),
    heavy_tail_prob: share().default(0.02).describe("Probability that a step takes many times as long"),
    heavy_tail_mult: z.number().min(1).default(50).describe("How many times as long"),
    enable_model_routing: z
      .boolean()
      .default(true)
      .describe("Let policies choose tiers and hedge; off, every call takes the cheapest tier"),
    disable_hedging: z.boolean().default(false).describe("Ablation: never launch a duplicate"),
    disable_escalation: z.boolean().default(false).describe("Ablation: always the cheapest tier"),
    disable_dag_priority: z.boolean().default(false).describe("Ablation: queues in order of age"),
    time_scale: z.number().positive().default(1).describe("Accepted and not needed: time is virtual"),
    tiers: z.array(tierSchema).min(1).default(DEFAULT_TIERS).describe("Providers' tiers"),
    cpu_workers: z.int().min(1).max(10_000).default(4).describe("Local workers for computing"),
    io_workers: z.int().min(1).max(10_000).default(2).describe("Local workers for loading"),
    in_flight_cap: z.int().min(1).default(200).describe("Steps under way at a time, all resources together"),
    budget_usd: z
      .number()
      .positive()
      .nullable()
      .default(6)
      .describe("What a workflow may spend; null is no limit"),
    arrivals: arrivalsSchema.default({ kind: "all_at_once" }).describe("When workflows arrive"),
    retries: z.int().min(0).max(20).default(3).describe("Further tries after a failure or a timeout"),
    backoff_ms: z.number().min(0).default(200).describe("Before the first retry; doubles with each"),
    evidence_prob: share().default(0.35).describe("Probability that an ExtractEvidence finds something"),
    evidence_spread: share().default(0.5).describe("How much that differs between workflows: +- this share"),
    stop: stopSchema.default(stopSchema.parse({})).describe("When a workflow has found enough"),
    hedge_after_p95: z
      .number()
      .positive()
      .default(1.5)
      .describe("Hedge a call past so many p95 service times"),
    escalation_min_s_per_cent: z
      .number()
      .min(0)
      .default(0.5)
      .describe("Take a dearer tier if it saves so many seconds for each further cent"),
    priority_weights: weightsSchema.default(weightsSchema.parse({})).describe("Of the dag_* policies"),
    estimate_window: z
      .int()
      .min(20)
      .max(100_000)
      .default(1000)
      .describe("Samples behind a policy's estimates"),
    cold_estimate_ms: z.number().positive().default(100).describe("A service time before the first sample"),
    service: servicesSchema.default(servicesSchema.parse({})).describe("Service times of each kind of step"),
    shape: z
      .enum(["research", "single_call"])
      .default("research")
      .describe("single_call: one Plan and no more"),
    trace: z.boolean().default(true).describe("Write trace.json"),
    perfetto: z.boolean().default(false).describe("Write trace.perfetto.json for ui.perfetto.dev"),
  })
  .superRefine(checkTogether);

export type SimParams = z.output<typeof paramsSchema>;
export type SimInput = z.input<typeof paramsSchema>;
