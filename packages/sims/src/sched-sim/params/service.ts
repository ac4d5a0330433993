import * as z from "zod";

const slow = {
  slow_prob: z.number().min(0).max(1).default(0).describe("Probability of a slow one"),
  slow_mult: z.number().positive().default(1).describe("A slow one takes so many times as long"),
};

/** How long a step takes on a tier of speed 1, before heavy tails. */
export const serviceSchema = z.discriminatedUnion("dist", [
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
export const servicesSchema = z.strictObject(perType);

export type Services = z.output<typeof servicesSchema>;

function modelCall(tokens: number): Service {
  return { dist: "lognormal", mu: 6, sigma: 0.8, tokens, slow_prob: 0, slow_mult: 1 };
}
