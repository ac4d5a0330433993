import * as z from "zod";
import { defineInstrument } from "./instrument.ts";

/** Where memory of a Python benchmark goes. Python itself measures it, in the process of the run. */
export const tracemalloc = defineInstrument({
  name: "tracemalloc",
  description: "memory that a Python benchmark allocates: its peak, what is left, and the lines behind it",
  options: z.strictObject({
    top_n: z.int().min(1).max(10_000).default(30).describe("Lines listed by the bytes that they hold."),
    frames: z.int().min(1).max(100).default(1).describe("Frames kept of each allocation."),
  }),
  around: "run",
  measures: "python",
  start: () => () => ({}),
});
