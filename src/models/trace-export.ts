import { appendFileSync } from "node:fs";
import type { Span, SpanOptions } from "@opentelemetry/api";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-node";
import type { Environment } from "./providers/provider.ts";

export interface Exporting {
  /** Where spans go when no collector is named: one OTLP JSON message a line. Null for nowhere. */
  file: string | null;
  /** How long the first run waits for a collector that does not answer. */
  patienceMs?: number;
}

export interface Traces {
  startSpan(name: string, options: SpanOptions, parent?: Span): Span;
  flush(): Promise<void>;
}

const PATIENCE_MS = 2000;
const SHORT_PATIENCE_MS = 50;
const opened = new Map<string, Promise<Traces>>();

/** One set of traces for each place in this thread; undefined where there is none to send to. */
export async function openTraces(
  { file, patienceMs = PATIENCE_MS }: Exporting,
  env: Environment,
): Promise<Traces | undefined> {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const place = endpoint ?? file;
  if (place === null || place === "") return undefined;
  const traces =
    opened.get(place) ?? startTraces(endpoint ? sendToCollector(env) : writeToFile(file!), patienceMs);
  opened.set(place, traces);
  return traces;
}

async function startTraces(exporting: Promise<SpanExporter>, longestMs: number): Promise<Traces> {
  const [{ BasicTracerProvider, BatchSpanProcessor }, { resourceFromAttributes }, api, exporter] =
    await Promise.all([
      import("@opentelemetry/sdk-trace-node"),
      import("@opentelemetry/resources"),
      import("@opentelemetry/api"),
      exporting,
    ]);
  // Spans wait for company; what a run left is sent when it ends.
  const processor = new BatchSpanProcessor(exporter, { maxQueueSize: 8192, maxExportBatchSize: 512 });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ "service.name": "assay" }),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer("assay");
  let patienceMs = longestMs;
  return {
    startSpan: (name, options, parent) =>
      tracer.startSpan(
        name,
        options,
        parent ? api.trace.setSpan(api.ROOT_CONTEXT, parent) : api.ROOT_CONTEXT,
      ),
    // A collector that is gone must not fail a run, nor hold up more than one.
    flush: async () => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(() => {
          patienceMs = Math.min(longestMs, SHORT_PATIENCE_MS);
          resolve();
        }, patienceMs);
      });
      await Promise.race([processor.forceFlush().catch(() => {}), late]);
      clearTimeout(timer);
    },
  };
}

/** Endpoint, headers and the rest as OpenTelemetry's own variables say. */
async function sendToCollector(env: Environment): Promise<SpanExporter> {
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-http");
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const url = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? `${base!.replace(/\/$/, "")}/v1/traces`;
  return new OTLPTraceExporter({ url });
}

/** The file format of OpenTelemetry's collector: one message a line. */
async function writeToFile(path: string): Promise<SpanExporter> {
  const { JsonTraceSerializer } = await import("@opentelemetry/otlp-transformer");
  return {
    export(spans: ReadableSpan[], done) {
      try {
        const bytes = JsonTraceSerializer.serializeRequest(spans);
        if (bytes) appendFileSync(path, Buffer.concat([bytes, Buffer.from("\n")]));
        done({ code: 0 });
      } catch (error) {
        done({ code: 1, error: error as Error });
      }
    },
    shutdown: async () => {},
  };
}
