import { NODE_TYPES, type WorkflowGraph } from "../workflow-graph.ts";

/** How a workflow ended. */
export const OUTCOMES = ["finished", "failed", "budget_exhausted"] as const;
export type WorkflowOutcome = (typeof OUTCOMES)[number];

/** A lane holds one attempt at a node: 0 is idle, above 0 the ticket of a queued one, below -(slot + 1). */
export const IDLE = 0;
/** The attempt proper, and its hedge. */
export const PRIMARY = 0;
export const HEDGE = 1;

/** The state of all workflows, one column per fact: at 10,000 workflows, objects would cost ten times as much. */
export class WorkflowTable {
  readonly arrivedUs: Float64Array;
  readonly endedUs: Float64Array;
  /** Position in OUTCOMES, or -1 while under way. */
  readonly outcome: Int8Array;
  readonly iteration: Int32Array;
  readonly spentNanoUsd: Float64Array;
  readonly wastedNanoUsd: Float64Array;
  readonly wastedUs: Float64Array;
  readonly retries: Int32Array;
  readonly cancellations: Int32Array;
  readonly hedges: Int32Array;
  readonly evidence: Int32Array;
  readonly covered: Int32Array;
  readonly isCovered: Uint8Array;
  /** Nodes of each type that the current iteration still has to finish. */
  readonly unfinished: Int32Array;

  // The nodes of the current iteration; a node's place is workflow * graph.size + node.
  readonly parentsLeft: Int32Array;
  readonly tries: Uint8Array;
  readonly readyUs: Float64Array;
  /** Two lanes a node, at 2 * place + lane. */
  readonly lanes: Int32Array;
  readonly queuedUs: Float64Array;
  /** Where a queued attempt waits. */
  readonly queuedAt: Uint16Array;

  readonly count: number;
  readonly #graph: WorkflowGraph;

  constructor(count: number, graph: WorkflowGraph, pdfs: number) {
    this.count = count;
    const places = count * graph.size;
    this.#graph = graph;
    this.arrivedUs = new Float64Array(count);
    this.endedUs = new Float64Array(count);
    this.outcome = new Int8Array(count).fill(-1);
    this.iteration = new Int32Array(count);
    this.spentNanoUsd = new Float64Array(count);
    this.wastedNanoUsd = new Float64Array(count);
    this.wastedUs = new Float64Array(count);
    this.retries = new Int32Array(count);
    this.cancellations = new Int32Array(count);
    this.hedges = new Int32Array(count);
    this.evidence = new Int32Array(count);
    this.covered = new Int32Array(count);
    this.isCovered = new Uint8Array(count * pdfs);
    this.unfinished = new Int32Array(count * NODE_TYPES.length);
    this.parentsLeft = new Int32Array(places);
    this.tries = new Uint8Array(places);
    this.readyUs = new Float64Array(places);
    this.lanes = new Int32Array(2 * places);
    this.queuedUs = new Float64Array(2 * places);
    this.queuedAt = new Uint16Array(2 * places);
  }

  workflowOf(place: number): number {
    return Math.floor(place / this.#graph.size);
  }

  /** The number of a node, counted through the iterations of its workflow. */
  nodeNumber(place: number): number {
    const { size } = this.#graph;
    return this.iteration[this.workflowOf(place)]! * size + (place % size);
  }

  /** Makes the nodes of a workflow ready for its next iteration. */
  renew(workflow: number): void {
    const graph = this.#graph;
    const first = workflow * graph.size;
    this.parentsLeft.set(graph.parents, first);
    this.tries.fill(0, first, first + graph.size);
    this.unfinished.set(graph.countByType, workflow * NODE_TYPES.length);
  }
}
