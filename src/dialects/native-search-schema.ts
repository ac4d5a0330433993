import * as z from "zod";
import { jsonValue } from "./check-shape.ts";

const text = z.string().min(1);
const number = z.number();
const above0 = z.number().positive();
const names = z.record(text, jsonValue);

const always = {
  when: text
    .optional()
    .describe(
      "The parameter applies only where this condition on the others holds; elsewhere it makes no new runs.",
    ),
  default: jsonValue.optional().describe("What you would use without a search; it is tried first."),
};
const step = above0.optional().describe("Only multiples of this.");

/** One form for each way in which a parameter's values can be stated. */
const parameter = z.union(
  [
    z.array(jsonValue).min(1),
    z.strictObject({
      values: z.array(jsonValue).min(1).describe("One of these."),
      probabilities: z
        .array(number.min(0).max(1))
        .optional()
        .describe("One for each value; they add up to 1."),
      ...always,
    }),
    z.strictObject({ value: jsonValue.describe("Always this.") }),
    z.strictObject({
      min: number.describe("The smallest value."),
      max: number.describe("The largest value."),
      scale: z
        .enum(["linear", "log", "inverse-log"])
        .default("linear")
        .describe("log: as many values between 1 and 10 as between 10 and 100."),
      step: above0
        .optional()
        .describe("From min in steps of this; whole numbers where min and step are whole."),
      ...always,
    }),
    z.strictObject({
      normal: z
        .strictObject({ mean: number.default(0), sd: above0.default(1), step })
        .describe("Normally distributed."),
      ...always,
    }),
    z.strictObject({
      logNormal: z
        .strictObject({ mean: number.default(0), sd: above0.default(1), step })
        .describe("Its logarithm is normally distributed, with this mean and standard deviation."),
      ...always,
    }),
    z.strictObject({
      beta: z.strictObject({ a: above0.default(1), b: above0.default(1), step }).describe("Between 0 and 1."),
      ...always,
    }),
  ],
  {
    error:
      "a list, {values}, {value}, {min, max, scale, step}, {normal: {mean, sd}}, {logNormal: {mean, sd}} or {beta: {a, b}}",
  },
);

export const searchSchema = z
  .strictObject({
    method: text.default("tpe").describe("How points are chosen: grid, random, sobol, tpe, gp or cmaes."),
    space: z.record(text, parameter).describe("The parameters to search, and the values each can take."),
    where: text
      .optional()
      .describe("Only points for which this condition holds are tried, such as keep < interval."),
    points: z.int().positive().optional().describe("At most this many points. A grid ends on its own."),
    objectives: z
      .array(
        z.strictObject({
          metric: text,
          goal: z.enum(["minimize", "maximize"]),
          target: number.optional().describe("No new point once one has reached this."),
        }),
      )
      .min(1)
      .optional()
      .describe("What to optimize; several give a Pareto front. Default: metric and goal of analysis."),
    constraints: z
      .array(text)
      .default([])
      .describe("Conditions on metrics that a good point satisfies, such as cost_usd < 1."),
    stop: z
      .object({ kind: text.describe("hyperband, halving, median, wilcoxon or race.") })
      .catchall(jsonValue)
      .optional()
      .describe("Ends runs early that fall behind."),
    seed: z.int().default(1).describe("Seed of the searcher's own choices; the runs use the study's seeds."),
    options: names.default({}).describe("Options of this searcher."),
  })
  .describe(
    "Chooses what to run from the results so far. Each point runs in every cell of the matrix with every seed, and the searcher sees the mean.",
  );

export type NativeSearch = z.output<typeof searchSchema>;
export type NativeParameter = NativeSearch["space"][string];
