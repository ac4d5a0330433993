import { nearest } from "assay/plugin";
import * as z from "zod";
import { isPolicyPath, policies } from "./policies.ts";

/** One way to make a call: a model or an endpoint with its own limits and price. */
const tierSchema = z.strictObject({
  provider: z.enum(["embed_provider", "llm_provider"]).describe("Which calls it takes"),
  tier_id: z.int().min(0).max(99).describe("Its number, for the names of columns"),
  rate_per_s: z
    .number()
    .positive("a rate above 0 calls a second, or null for no limit")
    .max(100_000)
    .nullable()
    .describe("Tokens a second that flow into its bucket; null is no limit"),
  bucket: z
    .int()
    .min(1, "a bucket of at least 1 token, or no call could ever pass")
    .default(1)
    .describe("Tokens that the bucket holds; it starts full"),
  concurrency: z.int().min(1, "at least 1 slot").max(10_000).describe("Calls at a time"),
  price_usd: z.number().min(0).default(0).describe("Charged when a call starts, whatever becomes of it"),
  p_fail: z.number().min(0).max(1).default(0).describe("Probability that a call fails part of the way"),
  timeout_ms: z.number().positive().nullable().default(null).describe("Calls end here; null is never"),
  speed: z.number().positive().default(1).describe("Service times are divided by this"),
});

export type TierParams = z.output<typeof tierSchema>;

/** The page's tiers. Its dear ones were no faster than the cheap ones; these are, by their `speed`. */
export const DEFAULT_TIERS: TierParams[] = [
  tier("embed_provider", 0, [20, 50, 4, 0.0001, 0.02, 10_000, 1]),
  tier("embed_provider", 1, [100, 200, 8, 0.0005, 0.01, 5_000, 2]),
  tier("llm_provider", 0, [5, 20, 2, 0.01, 0.03, 30_000, 1]),
  tier("llm_provider", 1, [20, 50, 4, 0.05, 0.02, 15_000, 2]),
];

type Row = [
  rate: number,
  bucket: number,
  slots: number,
  price: number,
  pFail: number,
  timeout: number,
  speed: number,
];

function tier(provider: TierParams["provider"], tier_id: number, row: Row): TierParams {
  const [rate_per_s, bucket, concurrency, price_usd, p_fail, timeout_ms, speed] = row;
  return { provider, tier_id, rate_per_s, bucket, concurrency, price_usd, p_fail, timeout_ms, speed };
}

const slow = {
  slow_prob: z.number().min(0).max(1).default(0).describe("Probability of a slow one"),
  slow_mult: z.number().positive().default(1).describe("A slow one takes so many times as long"),
};

/** How long a step takes on a tier of speed 1, before heavy tails. */
const serviceSchema = z.discriminatedUnion("dist", [
  z.strictObject({ dist: z.literal("constant"), ms: z.number().min(0), ...slow }),
  z.strictObject({
    dist: z.literal("uniform"),
    low_ms: z.number().min(0),
    high_ms: z.number().min(0),
    per_page_ms: z.number().min(0).default(0).describe("Added for each page of the step's pdf"),
    ...slow,
  }),
  z.strictObject({ dist: z.literal("exponential"), mean_ms: z.number().positive(), ...slow }),
  z.strictObject({
    dist: z.literal("gamma"),
    shape: z.int().min(1).max(100).describe("A whole number: the sum of so many exponentials"),
    scale_ms: z.number().positive(),
    ...slow,
  }),
  z.strictObject({
    dist: z.literal("lognormal"),
    mu: z.number().min(-20).max(20).describe("Mean of the logarithm of milliseconds"),
    sigma: z.number().min(0).max(5),
    tokens: z.number().min(0).default(0).describe("Token estimate: adds 0.001 of itself to mu"),
    ...slow,
  }),
]);

export type Service = z.output<typeof serviceSchema>;

const perType = {
  Plan: serviceSchema.default(modelCall(400)),
  LoadPDF: serviceSchema.default({
    dist: "lognormal",
    mu: 5,
    sigma: 0.8,
    tokens: 0,
    slow_prob: 0.1,
    slow_mult: 3,
  }),
  Chunk: serviceSchema.default({
    dist: "uniform",
    low_ms: 45,
    high_ms: 55,
    per_page_ms: 0.5,
    slow_prob: 0,
    slow_mult: 1,
  }),
  Embed: serviceSchema.default({ dist: "gamma", shape: 4, scale_ms: 25, slow_prob: 0.05, slow_mult: 2 }),
  SimilaritySearch: serviceSchema.default({ dist: "constant", ms: 120, slow_prob: 0, slow_mult: 1 }),
  ExtractEvidence: serviceSchema.default(modelCall(150)),
  Aggregate: serviceSchema.default(modelCall(0)),
  DecideNext: serviceSchema.default(modelCall(250)),
};

/** The service time of each kind of step; those not named keep the page's. */
const servicesSchema = z.strictObject(perType);

export type Services = z.output<typeof servicesSchema>;

function modelCall(tokens: number): Service {
  return { dist: "lognormal", mu: 6, sigma: 0.8, tokens, slow_prob: 0, slow_mult: 1 };
}

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

const MOST_NODES = 20_000_000;

/** The part of the parameters that only makes sense together. */
interface Joint {
  workflows: number;
  pdfs: number;
  subqueries: number;
  policy: string;
  tiers: TierParams[];
  budget_usd: number | null;
  stop: { coverage: number; confidence: number; early_coverage: number; early_confidence: number };
  service: Services;
  shape: "research" | "single_call";
}

/** Finds what no single parameter can show. A message says what was expected, as zod's own do. */
function checkTogether(params: Joint, context: z.core.$RefinementCtx): void {
  const report: Report = (path, message) => context.addIssue({ code: "custom", path, message });
  if (!isPolicyPath(params.policy) && !policies.has(params.policy)) {
    const [best] = nearest(params.policy, policies.keys(), 1);
    const hint = best ? `did you mean "${best}"?` : [...policies.keys()].join(", ");
    report(["policy"], `a known policy (${hint}) or the path of a file`);
  }
  checkTiers(params, report);
  checkStop(params, report);
  for (const [type, service] of Object.entries(params.service)) {
    if (service.dist === "uniform" && service.low_ms > service.high_ms) {
      report(["service", type, "low_ms"], `at most high_ms (${service.high_ms})`);
    }
  }
  const nodes = params.shape === "research" ? 3 + params.pdfs * (3 + 2 * params.subqueries) : 1;
  const most = Math.floor(MOST_NODES / nodes);
  if (params.workflows > most) {
    report(["workflows"], `at most ${most} workflows of ${nodes} steps each, which is what fits in memory`);
  }
}

type Report = (path: (string | number)[], message: string) => void;

function checkTiers({ tiers, shape, budget_usd }: Joint, report: Report): void {
  const seen = new Set<string>();
  tiers.forEach(({ provider, tier_id }, index) => {
    const name = `${provider} tier ${tier_id}`;
    if (seen.has(name)) report(["tiers", index, "tier_id"], `a tier_id of its own: ${name} is there twice`);
    seen.add(name);
  });
  const needed = shape === "research" ? ["llm_provider", "embed_provider"] : ["llm_provider"];
  for (const provider of needed) {
    if (!tiers.some((tier) => tier.provider === provider)) {
      report(["tiers"], `at least one tier of ${provider}, or its calls could never run`);
    }
  }
  const prices = tiers.filter((tier) => tier.provider === "llm_provider").map((tier) => tier.price_usd);
  const least = Math.min(...prices);
  if (budget_usd !== null && prices.length > 0 && budget_usd < least) {
    report(
      ["budget_usd"],
      `at least ${least}, the price of the cheapest llm_provider call, or null for no limit`,
    );
  }
}

function checkStop({ stop }: Joint, report: Report): void {
  for (const name of ["coverage", "confidence"] as const) {
    if (stop[`early_${name}`] > stop[name]) {
      report(["stop", `early_${name}`], `at most ${name} (${stop[name]}), or it would never apply`);
    }
  }
}
