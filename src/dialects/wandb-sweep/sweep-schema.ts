import * as z from "zod";
import { late } from "../check-shape.ts";

const text = z.string().min(1);

/** The top level of a sweep file: any other key is a slip. What stands in `parameters` is read one by one. */
export const sweepSchema = late(() =>
  z.strictObject({
    method: z.enum(["grid", "random", "bayes", "custom"], { error: "one of grid, random, bayes" }),
    parameters: z.record(z.string(), z.unknown(), {
      error: "named parameters, such as {lr: {min: 0.001, max: 0.1}}",
    }),
    /** Assay's own addition: what is measured instead of the program. */
    target: text.optional(),
    program: text.optional(),
    command: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
    name: text.optional(),
    description: z.string().optional(),
    project: z.unknown().optional(),
    entity: z.unknown().optional(),
    metric: z
      .strictObject({
        name: text,
        goal: z.enum(["minimize", "maximize"]).default("minimize"),
        target: z.number().optional(),
        impute: z.enum(["worst", "best", "latest"]).optional(),
      })
      .optional(),
    early_terminate: z
      .strictObject({
        type: z.literal("hyperband", { error: "hyperband, the only rule that such files have" }),
        min_iter: z.int().positive().optional(),
        max_iter: z.int().positive().optional(),
        s: z.int().positive().optional(),
        eta: z.number().gt(1, { error: "a number above 1" }).default(3),
        strict: z.boolean().default(false),
      })
      .optional(),
    run_cap: z
      .int({ error: "a whole number above 0" })
      .positive({ error: "a whole number above 0" })
      .optional(),
    controller: z.unknown().optional(),
    scheduler: z.unknown().optional(),
    job: z.unknown().optional(),
    image_uri: z.unknown().optional(),
    apiVersion: z.unknown().optional(),
    kind: z.literal("sweep", { error: "sweep" }).optional(),
    $schema: z.unknown().optional(),
  }),
);

export type SweepFile = z.output<ReturnType<typeof sweepSchema>>;
