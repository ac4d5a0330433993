import { openFamily } from "../core/family.ts";
import { cpuProfile } from "./cpu-profile.ts";
import { eventLoopDelay } from "./event-loop-delay.ts";
import { heap } from "./heap.ts";
import { instructions } from "./instructions.ts";
import type { Instrument } from "./instrument.ts";
import { resources } from "./resources/index.ts";
import { timing } from "./timing.ts";
import { tracemalloc } from "./tracemalloc.ts";

/** The instruments that ship with Assay. */
export const instruments: Readonly<Record<string, Instrument>> = openFamily(
  "instrument",
  Object.fromEntries(
    [timing, resources, cpuProfile, instructions, heap, eventLoopDelay, tracemalloc].map((item) => [
      item.name,
      item as Instrument,
    ]),
  ),
);

/** Names by which other tools know them. */
export const ALIASES: Readonly<Record<string, string>> = { psutil: "resources", cprofile: "cpu-profile" };
