import { UserError } from "assay/plugin";
import type { Simulation } from "../engine/simulation.ts";
import { OUTCOMES, type WorkflowTable } from "../engine/workflow-table.ts";
import type { SimResult, WorkflowResult } from "./sim-result.ts";
import { notesOn, summarise } from "./summarise.ts";
import { tierResults } from "./tier-results.ts";

/** The results of a simulation that is over. */
export function collectResult({ world }: Simulation, seed: number): SimResult {
  const workflows = workflowResults(world.table);
  const summary = summarise(workflows, world.tally);
  const endUs = world.table.endedUs.reduce((end, us) => Math.max(end, us), 0);
  if (endUs > Number.MAX_SAFE_INTEGER) {
    throw new UserError(
      "the simulated time is longer than 285 years, and its microseconds are no longer exact",
      {
        remedy: "Look for a rate, a mean or a multiplier in the wrong unit.",
      },
    );
  }
  return {
    params: world.params,
    seed,
    summary,
    workflows,
    tiers: tierResults(world.stations, endUs),
    notes: notesOn(summary),
    graph: world.graph,
    trace: world.trace,
  };
}

function workflowResults(table: WorkflowTable): WorkflowResult[] {
  return Array.from({ length: table.count }, (_, i) => ({
    workflow_id: i,
    makespan_ms: (table.endedUs[i]! - table.arrivedUs[i]!) / 1000,
    cost: table.spentNanoUsd[i]! / 1e9,
    retries: table.retries[i]!,
    cancellations: table.cancellations[i]!,
    hedges_launched: table.hedges[i]!,
    wasted_ms: table.wastedUs[i]! / 1000,
    outcome: OUTCOMES[table.outcome[i]!]!,
    iterations: table.iteration[i]! + 1,
    arrived_ms: table.arrivedUs[i]! / 1000,
    wasted_cost: table.wastedNanoUsd[i]! / 1e9,
  }));
}
