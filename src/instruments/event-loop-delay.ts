import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import * as z from "zod";
import { defineInstrument } from "./instrument.ts";

const options = z.strictObject({
  resolution_ms: z.int().min(1).max(1000).default(10).describe("Time between two looks at the loop."),
});

/** How late timers fire: by how much a body keeps everything else on its thread waiting. */
export const eventLoopDelay = defineInstrument({
  name: "event-loop-delay",
  description: "how late timers fire on the thread of a module: mean, p99 and max",
  options,
  async start({ options: { resolution_ms: resolution } }) {
    const histogram = monitorEventLoopDelay({ resolution });
    histogram.enable();
    // Delays are counted from its first look on, which a body that never waits would put off.
    await setTimeout(2 * resolution);
    return async () => {
      // A body that never waited is seen only when the loop turns again.
      await setTimeout(2 * resolution);
      histogram.disable();
      // The histogram holds whole intervals; what is above the resolution is delay.
      const delayMs = (ns: number) => Math.max(0, ns / 1e6 - resolution);
      return {
        event_loop_delay_mean_ms: histogram.count > 0 ? delayMs(histogram.mean) : null,
        event_loop_delay_p99_ms: histogram.count > 0 ? delayMs(histogram.percentile(99)) : null,
        event_loop_delay_max_ms: histogram.count > 0 ? delayMs(histogram.max) : null,
      };
    };
  },
});
