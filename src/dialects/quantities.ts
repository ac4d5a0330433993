import * as z from "zod";
import { DURATION, parseDuration } from "../core/number-text.ts";

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
