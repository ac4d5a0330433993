import * as z from "zod";
import { PROFILE_NAMES, pragmaShape } from "../database/pragmas.ts";
import { WORKLOAD_NAMES } from "./workload.ts";

/** One name or several: several are tried one after the other in each iteration. */
function oneOrSeveral<T extends string>(names: [T, ...T[]]) {
  const message = `one of ${names.join(", ")}, or a list of them`;
  return z.union([z.enum(names), z.array(z.enum(names)).min(1)], { error: message });
}

export const paramsSchema = z.strictObject({
  profiles: oneOrSeveral(PROFILE_NAMES)
    .default(PROFILE_NAMES)
    .describe(`Settings: ${PROFILE_NAMES.join(", ")}`),
  workloads: oneOrSeveral(WORKLOAD_NAMES)
    .default(WORKLOAD_NAMES)
    .describe(`What is done: ${WORKLOAD_NAMES.join(", ")}`),
  num_records: z.int().min(1).max(10_000_000).default(10_000).describe("Operations of a workload"),
  db_size_mb: z.number().min(0).max(10_000).default(20).describe("Size of the database at the start, in MB"),
  batch_size: z.int().min(1).max(1_000_000).default(100).describe("Operations in a transaction"),
  record_bytes: z
    .int()
    .min(0)
    .max(100_000)
    .default(500)
    .describe("Bytes that a record carries besides its numbers"),
  ...pragmaShape,
});

export type PragmaProfileParams = z.output<typeof paramsSchema>;

export function listOf<T extends string>(value: T | T[]): T[] {
  return [...new Set(Array.isArray(value) ? value : [value])];
}
