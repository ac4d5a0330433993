import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as z from "zod";

const nanoseconds = z.string().regex(/^\d{19}$/);
const value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: z.union([z.int(), z.string().regex(/^-?\d+$/)]) }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ arrayValue: z.object({ values: z.array(z.object({ stringValue: z.string() })) }) }),
]);
const attributes = z.array(z.object({ key: z.string(), value }));
const span = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  name: z.string(),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes,
  status: z.object({ code: z.int().min(0).max(2).optional(), message: z.string().optional() }),
});
/** ExportTraceServiceRequest in OTLP's JSON encoding (opentelemetry-proto 1.x): ids as hex, 64-bit times as text. */
const message = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ scope: z.object({ name: z.string() }), spans: z.array(span) })),
    }),
  ),
});

export interface ReceivedSpan extends Omit<z.output<typeof span>, "attributes"> {
  attributes: Record<string, unknown>;
}

/** The spans of one message, which must be as the protocol says. */
export function readOtlp(text: string): ReceivedSpan[] {
  return message.parse(JSON.parse(text)).resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((one) => ({
        ...one,
        attributes: Object.fromEntries(one.attributes.map(({ key, value }) => [key, plain(value)])),
      })),
    ),
  );
}

function plain(given: z.output<typeof value>): unknown {
  if ("arrayValue" in given) return given.arrayValue.values.map(({ stringValue }) => stringValue);
  if ("intValue" in given) return Number(given.intValue);
  return Object.values(given)[0];
}

export interface Collector {
  endpoint: string;
  spans: ReceivedSpan[];
  bodies: string[];
  close(): Promise<void>;
}

/** A collector for traces on loopback, at /v1/traces as the protocol says. */
export async function startCollector(status = 200): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      const isRight = request.url === "/v1/traces" && request.headers["content-type"] === "application/json";
      bodies.push(body);
      if (isRight && status === 200) spans.push(...readOtlp(body));
      response.writeHead(isRight ? status : 404, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
