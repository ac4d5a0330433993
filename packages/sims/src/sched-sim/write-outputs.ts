import { closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { csvText } from "../kernel/csv-text.ts";
import { TIMES_OUT } from "./engine/fate.ts";
import { makeStations } from "./engine/station.ts";
import { OUTCOMES } from "./engine/workflow-table.ts";
import type { SimResult } from "./result.ts";
import {
  ATTEMPT_CANCEL,
  ATTEMPT_FAIL,
  ATTEMPT_FINISH,
  ATTEMPT_START,
  CANCEL_REASONS,
  TRACE_EVENTS,
  type TraceLog,
  WORKFLOW_DONE,
  WORKFLOW_START,
} from "./trace-log.ts";
import { NODE_TYPES, type WorkflowGraph } from "./workflow-graph.ts";

/** Writes a run's files into a folder; traces in pieces, so that their size doesn't matter. */
export function writeOutputs(result: SimResult, dir: string): void {
  const { summary, notes, workflows, tiers, trace, graph, params } = result;
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "summary.csv"), csvText([{ ...summary, notes: notes.join("; ") }]));
  writeFileSync(join(dir, "workflows.csv"), csvText(workflows));
  writeFileSync(join(dir, "tiers.csv"), csvText(tiers));
  if (trace === null) return;
  const slots = slotInfos(result);
  if (params.trace) writePieces(join(dir, "trace.json"), traceJson(trace, slots));
  if (params.perfetto) writePieces(join(dir, "trace.perfetto.json"), perfettoJson(trace, slots, graph));
}

function slotInfos({ params }: SimResult): SlotInfo[] {
  return makeStations(params).flatMap((station) =>
    Array.from({ length: station.concurrency }, (_, number) => ({
      tier: `${station.resource}_tier${station.tierId}`,
      costUsd: station.priceUsd,
      number,
    })),
  );
}

function writePieces(file: string, pieces: Iterable<string>): void {
  const descriptor = openSync(file, "w");
  try {
    for (const piece of pieces) writeFileSync(descriptor, piece);
  } finally {
    closeSync(descriptor);
  }
}

/** What a slot belongs to, as text for a trace. */
interface SlotInfo {
  /** Such as `llm_provider_tier0`. */
  tier: string;
  costUsd: number;
  /** Its number within the tier. */
  number: number;
}

/** trace.json in pieces: an array of {ev, t_ms, wf, node, extra?} in order of time, a line an event. */
function* traceJson(trace: TraceLog, slots: readonly SlotInfo[]): Generator<string> {
  let text = "[";
  for (let row = 0; row < trace.length; row++) {
    const kind = trace.kinds[row]!;
    const node = trace.nodes[row]!;
    text += row === 0 ? "\n" : ",\n";
    text += `{"ev":"${TRACE_EVENTS[kind]}","t_ms":${trace.timesUs[row]! / 1000},"wf":${trace.workflows[row]}`;
    text += `,"node":${node < 0 ? "null" : node}${extra(trace, row, slots)}}`;
    if (text.length > 1 << 20) {
      yield text;
      text = "";
    }
  }
  yield `${text}\n]\n`;
}

function extra(trace: TraceLog, row: number, slots: readonly SlotInfo[]): string {
  const detail = trace.details[row]!;
  const hedge = detail % 2 === 1 ? ',"hedge":true' : "";
  switch (trace.kinds[row]) {
    case ATTEMPT_START: {
      const { tier, costUsd } = slots[trace.slots[row]!]!;
      return `,"extra":{"tier":"${tier}","try":${detail >> 1},"cost":${costUsd}${hedge}}`;
    }
    case ATTEMPT_FINISH:
      return hedge && ',"extra":{"hedge":true}';
    case ATTEMPT_FAIL:
      return `,"extra":{"reason":"${detail >> 1 === TIMES_OUT ? "timeout" : "error"}"${hedge}}`;
    case ATTEMPT_CANCEL:
      return `,"extra":{"reason":"${CANCEL_REASONS[detail >> 1]}"${hedge}}`;
    case WORKFLOW_DONE:
      return `,"extra":{"outcome":"${OUTCOMES[detail]}"}`;
    default:
      return "";
  }
}

const WORKFLOWS_PID = 1;

/**
 * The trace in Chrome's format (chrome://tracing, ui.perfetto.dev): a process for each tier with a thread for
 * each slot, and one process where each workflow is a thread. An attempt or a workflow is one slice.
 */
function* perfettoJson(trace: TraceLog, slots: readonly SlotInfo[], graph: WorkflowGraph): Generator<string> {
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
