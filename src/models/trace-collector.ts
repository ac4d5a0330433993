import type { Tracer } from "@opentelemetry/api";
import type { Environment } from "./providers/provider.ts";
import type { SpanStart, TraceTree } from "./trace-tree.ts";

const PATIENCE_MS = 2000;
const SHORT_PATIENCE_MS = 50;

interface Sender {
  tracer: Tracer;
  api: typeof import("@opentelemetry/api");
  flush(longestMs: number): Promise<void>;
}

/** One for each collector in this thread. */
const senders = new Map<string, Promise<Sender>>();

/** Where OpenTelemetry's variables say that traces go; undefined where they name no place. */
export function collectorUrl(env: Environment): string | undefined {
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  return env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || (base && `${base.replace(/\/$/, "")}/v1/traces`);
}

/** Sends spans over OTLP/HTTP; headers and the rest are as OpenTelemetry's own variables say. */
export async function openCollectorTrace(
  url: string,
  start: SpanStart,
  patienceMs = PATIENCE_MS,
): Promise<TraceTree> {
  const opening = senders.get(url) ?? startSender(url);
  senders.set(url, opening);
  const { tracer, api, flush } = await opening;
  const root = tracer.startSpan(start.name, start, api.ROOT_CONTEXT);
  const underRoot = api.trace.setSpan(api.ROOT_CONTEXT, root);
  return {
    root,
    startSpan: (child) => tracer.startSpan(child.name, child, underRoot),
    flush: () => flush(patienceMs),
  };
}

async function startSender(url: string): Promise<Sender> {
  const [
    { BasicTracerProvider, BatchSpanProcessor },
    { resourceFromAttributes },
    { OTLPTraceExporter },
    api,
  ] = await Promise.all([
    import("@opentelemetry/sdk-trace-node"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/api"),
  ]);
  // Spans wait for company; what a run left is sent when it ends.
  const processor = new BatchSpanProcessor(new OTLPTraceExporter({ url }), {
    maxQueueSize: 8192,
    maxExportBatchSize: 512,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ "service.name": "assay" }),
    spanProcessors: [processor],
  });
  let isLate = false;
  return {
    api,
    tracer: provider.getTracer("assay"),
    // A collector that is gone must not fail a run, nor hold up more than one.
    async flush(longestMs) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(
          () => {
            isLate = true;
            resolve();
          },
          isLate ? Math.min(longestMs, SHORT_PATIENCE_MS) : longestMs,
        );
      });
      await Promise.race([processor.forceFlush().catch(() => {}), late]);
      clearTimeout(timer);
    },
  };
}
