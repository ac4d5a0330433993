import { defineTarget } from "assay/plugin";
import { paramsSchema } from "./params/index.ts";
import { loadPolicy } from "./policies/load-policy.ts";
import { collectResult } from "./result/collect-result.ts";
import { metricInfos, metricsOf } from "./result/metrics.ts";
import { startSimulation } from "./simulate.ts";
import { writeOutputs } from "./write-outputs.ts";

export { simulate } from "./simulate.ts";
export { writeOutputs } from "./write-outputs.ts";

/** Some tens of milliseconds of work: often enough to notice that the run should end. */
const EVENTS_BETWEEN_LOOKS = 20_000;

/** Agent workflows that compete for language models, in virtual time. */
export const schedSim = defineTarget({
  name: "sched-sim",
  version: "1",
  description: "simulates agent workflows under a scheduling policy, in virtual time",
  params: paramsSchema,
  metrics: metricInfos,
  fileParams: ["policy"],
  async run({ params, seed, baseDir, outDir, signal, warn }) {
    // Without a folder there is nobody to write a trace for, so none is kept.
    const kept = outDir === null ? { ...params, trace: false, perfetto: false } : params;
    const simulation = startSimulation(kept, seed, await loadPolicy(params.policy, baseDir));
    while (!simulation.advance(EVENTS_BETWEEN_LOOKS)) {
      await new Promise((resume) => setImmediate(resume));
      signal.throwIfAborted();
    }
    const result = collectResult(simulation, seed);
    if (outDir !== null) writeOutputs(result, outDir);
    for (const note of result.notes) warn(note);
    return metricsOf(result);
  },
});
