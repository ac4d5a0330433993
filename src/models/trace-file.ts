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
const BUFFER_BYTES = 1 << 17;

/** Buffers that no trace uses: as bytes, spans that wait are nothing that the garbage collector must copy. */
const idle: Buffer[] = [];

/**
 * The file format of OpenTelemetry's collector: one message per line. Written here, as text at once, because its SDK takes
 * a quarter of the time of runs as short as those of a scripted agent.
 */
export function openTraceFile(path: string, start: SpanStart): TraceTree {
  const traceId = randomUUID().replaceAll("-", "");
  // Ids need to differ within their trace alone.
  const head = `,{"traceId":"${traceId}","spanId":"${traceId.slice(0, 8)}`;
  const file = new SpanFile(path);
  let spans = 0;
  const open = (given: SpanStart, parent: string) => {
    const id = (++spans).toString(16).padStart(8, "0");
    return new FileSpan(file, `${head}${id}",${parent}`, given);
  };
  const root = open(start, "");
  const underRoot = `"parentSpanId":"${traceId.slice(0, 8)}00000001",`;
  return {
    root,
    startSpan: (child) => open(child, underRoot),
    flush: async () => file.close(),
  };
}

class FileSpan implements OpenSpan {
  readonly #file: SpanFile;
  readonly #startedMs: number;
  #text: string;
  #attributes: string;
  #status = "{}";

  constructor(file: SpanFile, ids: string, { name, kind, attributes, startTime }: SpanStart) {
    this.#file = file;
    this.#startedMs = startTime === undefined ? performance.now() : startTime - performance.timeOrigin;
    // On the wire, kinds start at 1 and 0 is "unspecified".
    this.#text = `${ids}"name":${JSON.stringify(name)},"kind":${kind + 1},"startTimeUnixNano":"`;
    this.#attributes = encodeOnce(attributes);
  }

  setAttributes(more: Attributes): void {
    this.#attributes += encodeAttributes(more);
  }

  setStatus(status: Parameters<OpenSpan["setStatus"]>[0]): void {
    this.#status = JSON.stringify(status);
  }

  end(): void {
    const nowMs = performance.now();
    this.#file.add(
      `${this.#text}${nanoseconds(this.#startedMs)}","endTimeUnixNano":"${nanoseconds(nowMs)}",` +
        `"attributes":[${this.#attributes.slice(1)}],"status":${this.#status}}`,
      nowMs,
    );
  }
}

/** Spans that have ended, until there are enough of them for a line. */
class SpanFile {
  readonly #path: string;
  #buffer: Buffer | undefined;
  #bytes = 0;
  #writtenMs = performance.now();

  constructor(path: string) {
    this.#path = path;
  }

  /** A span's text with a comma before it. */
  add(text: string, nowMs: number): void {
    // A character takes three bytes at most, those that take four being two of JavaScript's.
    if (this.#bytes + text.length * 3 > BUFFER_BYTES) this.#write();
    this.#buffer ??= idle.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
    this.#bytes += this.#buffer.write(text, this.#bytes);
    if (nowMs - this.#writtenMs > LONGEST_WAIT_MS) this.#write();
  }

  close(): void {
    this.#write();
    if (this.#buffer) idle.push(this.#buffer);
    this.#buffer = undefined;
  }

  #write(): void {
    this.#writtenMs = performance.now();
    if (this.#bytes === 0) return;
    const spans = this.#buffer!.toString("utf8", 1, this.#bytes);
    this.#bytes = 0;
    try {
      appendFileSync(this.#path, `${HEAD}${spans}${TAIL}`);
    } catch {
      // A trace that can't be kept must not fail a run.
    }
  }
}

/** 64 bits as text: more than a number holds. The clock is good for microseconds. */
function nanoseconds(sinceStartMs: number): string {
  return `${Math.floor((performance.timeOrigin + sinceStartMs) * 1000)}000`;
}

const encoded = new WeakMap<Attributes, string>();

/** Attributes that many spans share are encoded for the first of them. */
function encodeOnce(attributes: Attributes): string {
  let text = encoded.get(attributes);
  if (text === undefined) {
    text = encodeAttributes(attributes);
    encoded.set(attributes, text);
  }
  return text;
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
