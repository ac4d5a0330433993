import * as z from "zod";
import { DURATION, parseDuration } from "../core/number-text.ts";
import type { Calls } from "../core/study.ts";

const BYTES: Record<string, number> = {
  "": 1,
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
};

/** `10m`, `1.5h`, `200ms`, or a number of seconds; gives milliseconds. */
export function duration(description: string) {
  const error = "a duration such as 10m, 1.5h, 200ms, or a number of seconds";
  return z
    .union([z.number().nonnegative(), z.string().regex(DURATION, { error })], { error })
    .transform((value) => (typeof value === "number" ? value * 1000 : parseDuration(value)!))
    .describe(description);
}

/** `10MB`, `1GiB`, or a number of bytes; gives bytes. */
export function size(description: string) {
  const error = "a size such as 10MB, 1GiB, or a number of bytes";
  return z
    .union(
      [z.int().nonnegative(), z.string().regex(/^\d+(\.\d+)?\s*(B|KB|MB|GB|KiB|MiB|GiB)?$/, { error })],
      {
        error,
      },
    )
    .transform((value) => (typeof value === "number" ? value : Math.round(scaled(value, BYTES))))
    .describe(description);
}

function scaled(text: string, units: Record<string, number>): number {
  const [, amount, unit] = /^([\d.]+)\s*([A-Za-z]*)$/.exec(text)!;
  return Number(amount) * units[unit!]!;
}

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
