import { UserError } from "assay/plugin";
import { Simulation } from "./engine/simulation.ts";
import type { SimParams } from "./params/index.ts";
import { ablate } from "./policies/ablate.ts";
import type { Policy } from "./policies/policy.ts";
import { resolvePolicy } from "./policies/resolve-policy.ts";
import { collectResult } from "./result/collect-result.ts";
import type { SimResult } from "./result/sim-result.ts";

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
