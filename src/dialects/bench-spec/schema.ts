import * as z from "zod";
import { jsonValue } from "../json-value.ts";
import { command } from "../native-command.ts";
import { iterationCount } from "../quantities.ts";

const text = z.string().min(1);
const params = z.record(text, jsonValue);

/** What one experiment says; a file of several has these keys in each of them, and beside them what all share. */
export const experimentSchema = z.strictObject({
  experiment: z.union([text, command], {
    error: "a shipped experiment's name, a ./file.ts or ./file.py, or {command: [program, ...]}",
  }),
  params: params.default({}),
  sweep: z.record(text, z.array(jsonValue).min(1)).default({}),
  strategy: z.enum(["cartesian", "random"]).default("cartesian"),
  samples: z.int().positive().optional(),
  iterations: iterationCount.default(1),
  interleave: z.union([z.boolean(), z.strictObject({ rounds: z.int().positive() })]).optional(),
  instrumentation: z
    .array(z.union([text, z.looseObject({ name: text, options: params.optional() })]))
    .default(["timing"]),
  plugins: z.array(text).default([]),
  parallelism: z.int().positive().default(1),
  output_dir: text.optional(),
  tags: z.array(z.union([text, z.number().transform(String)])).default([]),
  notes: text.optional(),
  seed: z.int().default(1),
});

export type Experiment = z.output<typeof experimentSchema>;
