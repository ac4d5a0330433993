import * as z from "zod";

/** How often a run calls its target; `batch` is for bodies that are shorter than reading the clock. */
export const iterationCount = z.union(
  [
    z.int().positive(),
    z.strictObject({
      warmup: z.int().nonnegative().default(0),
      measured: z.int().positive().default(1),
      batch: z
        .union([z.int().min(1).max(100_000_000), z.literal("auto")], { error: "a number of calls, or auto" })
        .optional()
        .describe(
          "Calls between two readings of the clock, for bodies shorter than a few microseconds; auto chooses.",
        ),
    }),
  ],
  { error: "a number, or {warmup: 1, measured: 5}" },
);

/** With the keys that were left out, and without those that say nothing. */
export function readIterations(asked: z.output<typeof iterationCount>): {
  warmup: number;
  measured: number;
  batch?: number | "auto";
} {
  if (typeof asked === "number") return { warmup: 0, measured: asked };
  const { warmup, measured, batch } = asked;
  return batch === undefined || batch === 1 ? { warmup, measured } : { warmup, measured, batch };
}
