import { OrderedHeap } from "../../kernel/ordered-heap.ts";
import type { SimParams } from "../params.ts";
import type { Policy } from "../policy.ts";
import { TraceLog } from "../trace-log.ts";
import { researchGraph, singleCallGraph, type WorkflowGraph } from "../workflow-graph.ts";
import { Decisions, Estimates } from "./decisions.ts";
import { Fate, FINISHES } from "./fate.ts";
import { makeStations, type Station } from "./station.ts";
import { WorkflowTable } from "./workflow-table.ts";

/** What can happen, as the types of events in the heap, with what their `a` and `b` mean. */
export const WORKFLOW_ARRIVES = 0; // a: workflow
export const ATTEMPT_ENDS = 1; // a: slot, b: generation
export const HEDGE_DUE = 2; // a: slot, b: generation
export const RETRY_DUE = 3; // a: place, b: iteration
export const TOKEN_READY = 4; // a: station

/** Counts over all workflows of a run. */
export interface Tally {
  events: number;
  attemptsStarted: number;
  attemptsFinished: number;
  attemptsFailed: number;
  attemptsCancelled: number;
  timeouts: number;
  escalations: number;
  hedgesLaunched: number;
  hedgesStarted: number;
  hedgesWon: number;
}

function emptyTally(): Tally {
  return {
    events: 0,
    attemptsStarted: 0,
    attemptsFinished: 0,
    attemptsFailed: 0,
    attemptsCancelled: 0,
    timeouts: 0,
    escalations: 0,
    hedgesLaunched: 0,
    hedgesStarted: 0,
    hedgesWon: 0,
  };
}

/** The attempts under way, one a slot. A slot is reused; its generation tells old events from new ones. */
class AttemptTable {
  readonly place: Int32Array;
  readonly lane: Uint8Array;
  readonly startedUs: Float64Array;
  readonly ending: Uint8Array;
  readonly generation: Int32Array;
  /** Position of the station that a slot belongs to. */
  readonly station: Int32Array;

  constructor(stations: readonly Station[]) {
    const owners = stations.flatMap((station, i) => Array<number>(station.concurrency).fill(i));
    this.station = Int32Array.from(owners);
    this.place = new Int32Array(owners.length);
    this.lane = new Uint8Array(owners.length);
    this.startedUs = new Float64Array(owners.length);
    this.ending = new Uint8Array(owners.length).fill(FINISHES);
    this.generation = new Int32Array(owners.length);
  }
}

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
