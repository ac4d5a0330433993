import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { createModel } from "../../src/models/create-model.ts";
import { startRunTrace } from "../../src/models/trace.ts";
import { TempFolder } from "../support/temp-folder.ts";
import { aRequest } from "./a-request.ts";

/** What is used of it; it has no types of its own. */
interface Receiver {
  MockOtlpServer: new (options: object) => { httpUrl: URL; start(): Promise<void>; close(): Promise<void> };
  normalizeTrace(request: unknown): { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
}

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: string;
  attributes: Record<string, unknown>;
  status: { code: string };
}

const require = createRequire(import.meta.url);
/** An OTLP receiver that others wrote. */
const { MockOtlpServer, normalizeTrace } = require("@elastic/mockotlpserver") as Receiver;

async function receive(send: (endpoint: string) => Promise<void>): Promise<Span[]> {
  const requests: unknown[] = [];
  const server = new MockOtlpServer({
    ...{ services: ["http"], httpHostname: "127.0.0.1", httpPort: 0, logLevel: "error" },
    onTrace: (request: unknown) => requests.push(request),
  });
  await server.start();
  try {
    await send(server.httpUrl.origin);
  } finally {
    await server.close();
  }
  return requests
    .flatMap((request) => normalizeTrace(request).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

/** One call of a model, one of a tool, and one that fails. */
async function traceCalls(place: { file: string | null; env: Record<string, string> }): Promise<void> {
  const trace = await startRunTrace({
    run: "run-1",
    agent: "assay",
    attributes: { "assay.seed": 7 },
    ...place,
  });
  await trace.traceModel(await createModel("scripted", { env: {} })).complete(aRequest());
  await trace.traceTool({ id: "call_1", name: "bash" }, async () => "out");
  await trace
    .traceTool({ id: "call_2", name: "read" }, () => Promise.reject(new Error("gone")))
    .catch(() => {});
  await trace.end();
}

function check(spans: readonly Span[]): void {
  const byName = Object.fromEntries(spans.map((span) => [span.name, span]));
  const root = byName["invoke_agent assay"]!;
  expect(Object.keys(byName).sort()).toEqual([
    "chat coder",
    "execute_tool bash",
    "execute_tool read",
    "invoke_agent assay",
  ]);
  expect(root).toMatchObject({ kind: "SPAN_KIND_INTERNAL", attributes: { "assay.seed": 7 } });
  for (const span of spans) {
    expect(span.traceId).toBe(root.traceId);
    if (span !== root) expect(span.parentSpanId).toBe(root.spanId);
  }
  expect(byName["chat coder"]).toMatchObject({
    kind: "SPAN_KIND_CLIENT",
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.usage.input_tokens": expect.any(Number),
      "gen_ai.response.finish_reasons": ["tool_calls"],
    },
  });
  expect(byName["execute_tool read"]!.status.code).toBe("STATUS_CODE_ERROR");
}

test("a receiver of others understands what is sent to it", async () => {
  check(
    await receive((endpoint) => traceCalls({ file: null, env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } })),
  );
});

test("and every line of a trace file, posted as it is", async () => {
  using folder = new TempFolder();
  await traceCalls({ file: `${folder.path}/t.jsonl`, env: {} });
  const lines = folder.read("t.jsonl").trim().split("\n");
  const spans = await receive(async (endpoint) => {
    for (const body of lines) {
      const headers = { "content-type": "application/json", connection: "close" };
      const response = await fetch(`${endpoint}/v1/traces`, { method: "POST", headers, body });
      expect(response.status).toBe(200);
    }
  });
  check(spans);
});
