import * as z from "zod";
import type { Calls } from "../core/study.ts";
import { duration } from "./quantities.ts";

/** Where time or precision end the iterations, their number is only a limit. */
const MOST = 1_000_000;
/** A run that is only told how precise it shall be gives up after this time. */
const PATIENCE_MS = 10_000;

const precision = z
  .union(
    [
      z.number().gt(0).lt(1),
      z.string().regex(/^\d+(\.\d+)?\s*%$/, { error: "a share such as 1 %, or 0.01" }),
    ],
    { error: "a share such as 1 %, or 0.01" },
  )
  .transform((value) => (typeof value === "number" ? value : Number.parseFloat(value) / 100))
  .refine((share) => share > 0 && share < 1, { error: "between 0 % and 100 %" });

/** How often a run calls its target; `batch` is for bodies that are shorter than reading the clock. */
export const iterationCount = z.union(
  [
    z.int().positive(),
    z.strictObject({
      warmup: z.int().nonnegative().default(0),
      measured: z
        .int()
        .positive()
        .optional()
        .describe("How many are measured (default 1); with time or until, at most this many."),
      batch: z
        .union([z.int().min(1).max(100_000_000), z.literal("auto")], { error: "a number of calls, or auto" })
        .optional()
        .describe(
          "Calls between two readings of the clock, for bodies shorter than a few microseconds; auto chooses.",
        ),
      time: duration("Measure for this long, such as 5s; no further iteration begins after it.").optional(),
      until: precision
        .optional()
        .describe(
          "Measure until the 95 % interval of the median is this narrow, such as 1 %, or the time is up (default 10s).",
        ),
    }),
  ],
  { error: "a number, or {warmup: 1, measured: 5}, or {time: 5s}, or {until: 1 %}" },
);

/** With the keys that were left out, and without those that say nothing. */
export function readIterations(asked: z.output<typeof iterationCount>): Calls {
  if (typeof asked === "number") return { warmup: 0, measured: asked };
  const { warmup, measured, batch, time, until } = asked;
  const timeMs = time ?? (until === undefined ? undefined : PATIENCE_MS);
  return {
    warmup,
    measured: measured ?? (timeMs === undefined ? 1 : MOST),
    ...(batch !== undefined && batch !== 1 && { batch }),
    ...(timeMs !== undefined && { timeMs }),
    ...(until !== undefined && { until }),
  };
}
