import { defineTarget, UserError } from "assay/plugin";
import { ablate, loadPolicy, resolvePolicy } from "./choose-policy.ts";
import { collectResult } from "./collect-result.ts";
import { Simulation } from "./engine/simulation.ts";
import { paramsSchema, type SimParams } from "./params.ts";
import type { Policy } from "./policy.ts";
import { metricInfos, metricsOf, type SimResult } from "./result.ts";
import { writeOutputs } from "./write-outputs.ts";

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

/** One run from start to end. `policy` overrides the parameter: that is how a user's own comes in. */
export function simulate(params: SimParams, seed: number, policy?: Policy): SimResult {
  const simulation = startSimulation(params, seed, policy);
  simulation.advance();
  return collectResult(simulation, seed);
}

/** A run that the caller advances in portions. */
export function startSimulation(params: SimParams, seed: number, policy?: Policy): Simulation {
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new UserError("seed of target sched-sim", { expected: "a whole number from 0", got: String(seed) });
  }
  return new Simulation(params, ablate(policy ?? resolvePolicy(params.policy), params), seed);
}
