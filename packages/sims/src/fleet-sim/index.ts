import { defineTarget } from "assay/plugin";
import { bottleneckOf } from "./bottleneck-of.ts";
import { metricInfos } from "./metrics.ts";
import { paramsSchema } from "./params.ts";
import { simulateFleet } from "./simulate.ts";

/** A fleet of workers on a queue, in virtual time: how many runs a second, and what is in the way of more. */
export const fleetSim = defineTarget({
  name: "fleet-sim",
  version: "1",
  description: "simulates the queue executor's fleet: coordinator, Redis, workers, deaths, in virtual time",
  params: paramsSchema,
  metrics: metricInfos,
  async run({ params, seed, signal, label }) {
    const metrics = await simulateFleet(params, seed, async () => {
      await new Promise((resume) => setImmediate(resume));
      signal.throwIfAborted();
    });
    label?.("bottleneck", bottleneckOf(metrics, params));
    return metrics;
  },
});
