/** The kinds of events; the first six and their names are the page's. */
export const TRACE_EVENTS = [
  "NodeQueued",
  "AttemptFinish",
  "AttemptFail",
  "AttemptCancel",
  "HedgeLaunched",
  "WorkflowDone",
  "WorkflowStart",
  "AttemptStart",
] as const;

export const NODE_QUEUED = 0;
export const ATTEMPT_FINISH = 1;
export const ATTEMPT_FAIL = 2;
export const ATTEMPT_CANCEL = 3;
export const HEDGE_LAUNCHED = 4;
export const WORKFLOW_DONE = 5;
export const WORKFLOW_START = 6;
export const ATTEMPT_START = 7;

/** Why an attempt was cancelled. */
export const CANCEL_REASONS = ["hedge_lost", "workflow_ended"] as const;

/** A trace in columns: 29 bytes an event, and nothing for the garbage collector to walk. */
export class TraceLog {
  length = 0;
  kinds = new Uint8Array(1024);
  timesUs = new Float64Array(1024);
  workflows = new Int32Array(1024);
  /** Counted through the iterations; -1 for events of a workflow. */
  nodes = new Int32Array(1024);
  /** Of attempts: which slot of which station; -1 elsewhere. */
  slots = new Int32Array(1024);
  /**
   * Of a start: twice the try. Of a failure: twice its ending. Of a cancellation: twice its reason. In all
   * events of attempts, plus one for a hedge. Of a workflow's end: its outcome.
   */
  details = new Int32Array(1024);

  add(kind: number, timeUs: number, workflow: number, node = -1, slot = -1, detail = 0): void {
    const row = this.length++;
    if (row === this.kinds.length) this.#grow();
    this.kinds[row] = kind;
    this.timesUs[row] = timeUs;
    this.workflows[row] = workflow;
    this.nodes[row] = node;
    this.slots[row] = slot;
    this.details[row] = detail;
  }

  #grow(): void {
    const capacity = this.kinds.length * 2;
    const larger = <T extends Uint8Array | Int32Array | Float64Array>(column: T, empty: T): T => {
      empty.set(column);
      return empty;
    };
    this.kinds = larger(this.kinds, new Uint8Array(capacity));
    this.timesUs = larger(this.timesUs, new Float64Array(capacity));
    this.workflows = larger(this.workflows, new Int32Array(capacity));
    this.nodes = larger(this.nodes, new Int32Array(capacity));
    this.slots = larger(this.slots, new Int32Array(capacity));
    this.details = larger(this.details, new Int32Array(capacity));
  }
}
