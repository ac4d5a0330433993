import { OUTCOMES } from "../engine/workflow-table.ts";
import { NODE_TYPES } from "../node-type.ts";
import type { WorkflowGraph } from "../workflow-graph.ts";
import type { SlotInfo } from "./trace-json.ts";
import {
  ATTEMPT_CANCEL,
  ATTEMPT_FAIL,
  ATTEMPT_FINISH,
  ATTEMPT_START,
  TRACE_EVENTS,
  type TraceLog,
  WORKFLOW_DONE,
  WORKFLOW_START,
} from "./trace-log.ts";

const WORKFLOWS_PID = 1;

/**
 * The trace in Chrome's format (chrome://tracing, ui.perfetto.dev): a process for each tier with a thread for
 * each slot, and one process where each workflow is a thread. An attempt or a workflow is one slice.
 */
export function* perfettoJson(
  trace: TraceLog,
  slots: readonly SlotInfo[],
  graph: WorkflowGraph,
): Generator<string> {
  const pids = new Map([...new Set(slots.map((slot) => slot.tier))].map((tier, i) => [tier, i + 2]));
  let text = `{"displayTimeUnit":"ms","traceEvents":[\n${processName(WORKFLOWS_PID, "workflows")}`;
  for (const [tier, pid] of pids) text += `,\n${processName(pid, tier)}`;
  const startOfSlot = new Int32Array(slots.length);
  const startOfWorkflow = new Map<number, number>();
  for (let row = 0; row < trace.length; row++) {
    const kind = trace.kinds[row]!;
    const workflow = trace.workflows[row]!;
    const slot = trace.slots[row]!;
    if (kind === WORKFLOW_START) startOfWorkflow.set(workflow, row);
    else if (kind === ATTEMPT_START) startOfSlot[slot] = row;
    else if (kind === WORKFLOW_DONE) {
      const args = `"outcome":"${OUTCOMES[trace.details[row]!]}"`;
      const lane = { pid: WORKFLOWS_PID, tid: workflow };
      text += slice(trace, startOfWorkflow.get(workflow)!, row, {
        ...lane,
        name: `workflow ${workflow}`,
        args,
      });
    } else if (kind === ATTEMPT_FINISH || kind === ATTEMPT_FAIL || kind === ATTEMPT_CANCEL) {
      const { tier, number } = slots[slot]!;
      const start = startOfSlot[slot]!;
      const node = trace.nodes[row]!;
      const detail = trace.details[start]!;
      const name = NODE_TYPES[graph.types[node % graph.size]!]!;
      const hedge = detail % 2 === 1 ? ',"hedge":true' : "";
      const args = `"wf":${workflow},"node":${node},"try":${detail >> 1}${hedge},"end":"${TRACE_EVENTS[kind]}"`;
      text += slice(trace, start, row, { pid: pids.get(tier)!, tid: number, name, args });
    }
    if (text.length > 1 << 20) {
      yield text;
      text = "";
    }
  }
  yield `${text}\n]}\n`;
}

function processName(pid: number, name: string): string {
  return `{"ph":"M","name":"process_name","pid":${pid},"tid":0,"args":{"name":"${name}"}}`;
}

interface Slice {
  pid: number;
  tid: number;
  name: string;
  args: string;
}

/** Times of the format are in microseconds, as ours are. */
function slice(trace: TraceLog, start: number, end: number, { pid, tid, name, args }: Slice): string {
  const ts = trace.timesUs[start]!;
  const dur = trace.timesUs[end]! - ts;
  return `,\n{"ph":"X","name":"${name}","pid":${pid},"tid":${tid},"ts":${ts},"dur":${dur},"args":{${args}}}`;
}
