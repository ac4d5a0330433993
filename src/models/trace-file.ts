import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import type { Attributes, AttributeValue } from "@opentelemetry/api";
import type { OpenSpan, SpanStart, TraceTree } from "./trace-tree.ts";

/** What a run that is killed may lose. */
const LONGEST_WAIT_MS = 5000;
const HEAD =
  '{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"assay"}}]},' +
  '"scopeSpans":[{"scope":{"name":"assay"},"spans":[';
const TAIL = "]}]}]}\n";

/**
 * The file format of OpenTelemetry's collector: one message a line. Written here, as text at once, because its SDK takes
 * a quarter of the time of runs as short as those of a scripted agent.
 */
export function openTraceFile(path: string, start: SpanStart): TraceTree {
  const traceId = randomUUID().replaceAll("-", "");
  // Ids need to differ within their trace alone.
  const idPrefix = traceId.slice(0, 8);
  let spans = 0;
  let waiting: string[] = [];
  let writtenMs = performance.now();

  const write = () => {
    writtenMs = performance.now();
    if (waiting.length === 0) return;
    try {
      appendFileSync(path, `${HEAD}${waiting.join(",")}${TAIL}`);
    } catch {
      // A trace that can't be kept must not fail a run.
    }
    waiting = [];
  };
  const open = ({ name, kind, attributes }: SpanStart, parent = "") => {
    const spanId = idPrefix + (++spans).toString(16).padStart(8, "0");
    const startedMs = performance.now();
    let encoded = encodeAttributes(attributes);
    let status = '{"code":0}';
    const span: OpenSpan = {
      setAttributes: (more) => {
        encoded += encodeAttributes(more);
      },
      setStatus: (given) => {
        status = JSON.stringify(given);
      },
      end() {
        const endedMs = performance.now();
        // On the wire, kinds start at 1 and 0 is "unspecified".
        waiting.push(
          `{"traceId":"${traceId}","spanId":"${spanId}",${parent}"name":${JSON.stringify(name)},"kind":${kind + 1},` +
            `"startTimeUnixNano":"${nanoseconds(startedMs)}","endTimeUnixNano":"${nanoseconds(endedMs)}",` +
            `"attributes":[${encoded.slice(1)}],"status":${status}}`,
        );
        if (endedMs - writtenMs > LONGEST_WAIT_MS) write();
      },
    };
    return { span, spanId };
  };

  const root = open(start);
  const underRoot = `"parentSpanId":"${root.spanId}",`;
  return {
    root: root.span,
    startSpan: (child) => open(child, underRoot).span,
    flush: async () => write(),
  };
}

/** 64 bits as text: more than a number holds. */
function nanoseconds(sinceStartMs: number): string {
  const ms = performance.timeOrigin + sinceStartMs;
  const wholeMs = Math.floor(ms);
  return wholeMs + String(Math.floor((ms - wholeMs) * 1e6)).padStart(6, "0");
}

/** A comma before each, so that what comes later is appended. */
function encodeAttributes(attributes: Attributes): string {
  let text = "";
  for (const key in attributes) {
    const value = attributes[key];
    if (value !== undefined && value !== null) text += `,{"key":"${key}","value":${encodeValue(value)}}`;
  }
  return text;
}

function encodeValue(value: AttributeValue | null | undefined): string {
  if (typeof value === "number")
    return Number.isInteger(value) ? `{"intValue":${value}}` : `{"doubleValue":${JSON.stringify(value)}}`;
  if (typeof value === "string") return `{"stringValue":${JSON.stringify(value)}}`;
  if (typeof value === "boolean") return `{"boolValue":${value}}`;
  return `{"arrayValue":{"values":[${(value ?? []).map(encodeValue).join(",")}]}}`;
}
