import { resolve } from "node:path";
import { defineTarget, loadModule, suggestion, UserError } from "assay/plugin";
import { collectResult } from "./collect-result.ts";
import { Simulation } from "./engine/simulation.ts";
import { paramsSchema, type SimParams } from "./params.ts";
import { byAge, cheapest, isPolicyPath, policies } from "./policies.ts";
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

/** The policy that a parameter names. */
export async function loadPolicy(policy: string, baseDir: string): Promise<Policy> {
  if (!isPolicyPath(policy)) return resolvePolicy(policy);
  return resolvePolicy(await loadModule(resolve(baseDir, policy), "policy"));
}

/** The shipped policy of that name, or the one that a user's file has given. */
export function resolvePolicy(policy: string | unknown): Policy {
  if (typeof policy !== "string") return checkPolicy(policy);
  const shipped = policies.get(policy);
  if (shipped) return shipped;
  throw new UserError(`there is no policy "${policy}"`, { remedy: suggestion(policy, policies.keys()) });
}

function checkPolicy(value: unknown): Policy {
  const policy = value as Partial<Policy> | null | undefined;
  for (const method of ["priority", "route"] as const) {
    if (typeof policy?.[method] !== "function") {
      const remedy = 'Write "export default definePolicy({name, description, priority, route})".';
      throw new UserError(`a policy needs a function ${method}`, { got: typeof policy?.[method], remedy });
    }
  }
  return policy as Policy;
}

interface Ablation {
  enable_model_routing: boolean;
  disable_hedging: boolean;
  disable_escalation: boolean;
  disable_dag_priority: boolean;
}

/** The policy without what the ablation takes away. A part it never had changes nothing, to the byte. */
function ablate(policy: Policy, ablation: Ablation): Policy {
  const routing = ablation.enable_model_routing;
  const { hedgeAfterS, ...rest } = policy;
  return {
    ...rest,
    ...(ablation.disable_dag_priority && { priority: byAge }),
    ...((ablation.disable_escalation || !routing) && { route: cheapest }),
    ...(hedgeAfterS && routing && !ablation.disable_hedging && { hedgeAfterS }),
  };
}
