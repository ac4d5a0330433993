import { OrderedHeap } from "../kernel/ordered-heap.ts";
import type { SimParams } from "../params/index.ts";
import type { Policy } from "../policies/policy.ts";
import { TraceLog } from "../trace/trace-log.ts";
import { researchGraph, singleCallGraph, type WorkflowGraph } from "../workflow-graph.ts";
import { AttemptTable } from "./attempt-table.ts";
import { Decisions } from "./decisions.ts";
import { Estimates } from "./estimates.ts";
import { Fate } from "./fate.ts";
import { makeStations } from "./make-stations.ts";
import type { Station } from "./station.ts";
import { emptyTally, type Tally } from "./tally.ts";
import { WorkflowTable } from "./workflow-table.ts";

/** Everything that one simulation is made of; its rules stand in the dispatcher and the workflow runner. */
export interface World {
  nowUs: number;
  params: SimParams;
  events: OrderedHeap;
  graph: WorkflowGraph;
  table: WorkflowTable;
  stations: Station[];
  attempts: AttemptTable;
  estimates: Estimates;
  decisions: Decisions;
  fate: Fate;
  tally: Tally;
  /** Null when nobody wants a trace. */
  trace: TraceLog | null;
}

export function makeWorld(params: SimParams, policy: Policy, seed: number): World {
  const research = params.shape === "research";
  const graph = research ? researchGraph(params.pdfs, params.subqueries) : singleCallGraph();
  const stations = makeStations(params);
  const table = new WorkflowTable(params.workflows, graph, params.pdfs);
  const estimates = new Estimates(params, stations, graph.countByType);
  return {
    nowUs: 0,
    params,
    events: new OrderedHeap(1024),
    graph,
    table,
    stations,
    attempts: new AttemptTable(stations),
    estimates,
    decisions: new Decisions(params, policy, { table, graph, estimates, stations }),
    fate: new Fate(params, seed),
    tally: emptyTally(),
    trace: params.trace || params.perfetto ? new TraceLog() : null,
  };
}
