import { TIMES_OUT } from "../engine/fate.ts";
import { OUTCOMES } from "../engine/workflow-table.ts";
import {
  ATTEMPT_CANCEL,
  ATTEMPT_FAIL,
  ATTEMPT_FINISH,
  ATTEMPT_START,
  CANCEL_REASONS,
  TRACE_EVENTS,
  type TraceLog,
  WORKFLOW_DONE,
} from "./trace-log.ts";

/** What a slot belongs to, as text for a trace. */
export interface SlotInfo {
  /** Such as `llm_provider_tier0`. */
  tier: string;
  costUsd: number;
  /** Its number within the tier. */
  number: number;
}

/** trace.json in pieces: an array of {ev, t_ms, wf, node, extra?} in order of time, a line an event. */
export function* traceJson(trace: TraceLog, slots: readonly SlotInfo[]): Generator<string> {
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
