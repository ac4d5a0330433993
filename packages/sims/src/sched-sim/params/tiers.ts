import * as z from "zod";

/** One way to make a call: a model or an endpoint with its own limits and price. */
export const tierSchema = z.strictObject({
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
