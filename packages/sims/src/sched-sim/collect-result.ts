import { UserError } from "assay/plugin";
import { percentile } from "../kernel/statistics.ts";
import type { Simulation } from "./engine/simulation.ts";
import type { Station } from "./engine/station.ts";
import { OUTCOMES, type WorkflowTable } from "./engine/workflow-table.ts";
import type { Tally } from "./engine/world.ts";
import type { SimResult, Summary, TierResult, WorkflowResult } from "./result.ts";

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

/** Below these, the percentile would be an extreme value or beyond it. */
const LEAST_FOR_P95 = 20;
const LEAST_FOR_P99 = 100;

/** Microseconds in a millisecond, nanodollars in a dollar. */
const US = 1e3;
const NANO_USD = 1e9;

type Pick = (workflow: WorkflowResult) => number;

/**
 * Makespans are of finished workflows only: one that gave up early was not fast. Costs are of all workflows:
 * its money is spent.
 */
function summarise(workflows: readonly WorkflowResult[], tally: Tally): Summary {
  const sum = (pick: Pick, unit = 1) => exactSum(workflows, pick, unit);
  const ended = (outcome: string) => workflows.filter((workflow) => workflow.outcome === outcome);
  const finished = ended("finished");
  const makespans = Float64Array.from(finished, (workflow) => workflow.makespan_ms).sort();
  const costs = Float64Array.from(workflows, (workflow) => workflow.cost).sort();
  const costTotal = sum((workflow) => workflow.cost, NANO_USD);
  return {
    makespan_mean_ms:
      finished.length > 0 ? exactSum(finished, (w) => w.makespan_ms, US) / finished.length : null,
    makespan_p50_ms: percentile(makespans, 50),
    makespan_p95_ms: percentile(makespans, 95),
    makespan_p99_ms: percentile(makespans, 99),
    cost_mean: costTotal / workflows.length,
    cost_p50: percentile(costs, 50),
    cost_total: costTotal,
    cost_per_finished: finished.length > 0 ? costTotal / finished.length : null,
    workflows_finished: finished.length,
    workflows_failed: ended("failed").length,
    workflows_budget_exhausted: ended("budget_exhausted").length,
    finished_share: finished.length / workflows.length,
    iterations_mean: sum((workflow) => workflow.iterations) / workflows.length,
    retries: sum((workflow) => workflow.retries),
    timeouts: tally.timeouts,
    escalations: tally.escalations,
    hedges_launched: tally.hedgesLaunched,
    hedges_won: tally.hedgesWon,
    cancellations: sum((workflow) => workflow.cancellations),
    wasted_ms: sum((workflow) => workflow.wasted_ms, US),
    wasted_cost: sum((workflow) => workflow.wasted_cost, NANO_USD),
    attempts_started: tally.attemptsStarted,
    attempts_finished: tally.attemptsFinished,
    attempts_failed: tally.attemptsFailed,
    attempts_cancelled: tally.attemptsCancelled,
    virtual_time_ms: workflows.reduce((end, w) => Math.max(end, w.arrived_ms + w.makespan_ms), 0),
    events: tally.events,
  };
}

/** Adds in whole microseconds or nanodollars, of which the values are fractions: nothing gets lost. */
function exactSum(workflows: readonly WorkflowResult[], pick: Pick, unit: number): number {
  return workflows.reduce((total, workflow) => total + Math.round(pick(workflow) * unit), 0) / unit;
}

/** What a reader of the summary must know before believing it. */
function notesOn(summary: Summary): string[] {
  const notes: string[] = [];
  const finished = summary.workflows_finished;
  const unfinished = summary.workflows_failed + summary.workflows_budget_exhausted;
  for (const [percent, least] of [
    [99, LEAST_FOR_P99],
    [95, LEAST_FOR_P95],
  ])
    if (finished > 0 && finished < least!)
      notes.push(
        `makespan_p${percent}_ms rests on ${finished} finished workflows: it is nearly their maximum`,
      );
  if (unfinished > 0) {
    const all = finished + unfinished;
    notes.push(
      `${unfinished} of ${all} workflows did not finish: makespans leave them out, costs count them`,
    );
  }
  return notes;
}

/** What each station did until the last workflow ended. */
function tierResults(stations: readonly Station[], endUs: number): TierResult[] {
  return stations.map((station) => {
    const p95Us = station.waits.quantile(0.95);
    const overTime = (area: number) => (endUs > 0 ? area / endUs : 0);
    return {
      provider: station.resource,
      tier_id: station.tierId,
      utilization: overTime(station.flightArea) / station.concurrency,
      queue_wait_p95_ms: p95Us === null ? null : p95Us / 1000,
      in_flight_avg: overTime(station.flightArea),
      calls: station.started,
      queue_wait_mean_ms: station.started > 0 ? station.waitSumUs / station.started / 1000 : null,
      queue_length_avg: overTime(station.queueArea),
      cost: (station.started * station.priceNanoUsd) / 1e9,
    };
  });
}
