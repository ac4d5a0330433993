import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createModel } from "../../src/models/create-model.ts";
import { type Model, ModelError } from "../../src/models/model.ts";
import { startRunTrace } from "../../src/models/trace.ts";
import { readOtlp, startCollector } from "../support/otlp.ts";
import { TempFolder } from "../support/temp-folder.ts";
import { aRequest } from "./a-request.ts";

const KEY = "sk-very-secret-0123456789";

test("a collector gets one span for each call of model and tool, under the run's, by the conventions", async () => {
  const collector = await startCollector();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint };
  const trace = await startRunTrace({
    run: "run-1",
    agent: "assay",
    file: null,
    env,
    attributes: { "assay.seed": 7 },
  });
  const model = trace.traceModel(await createModel("scripted", { env: {} }));
  const { usage, costUsd } = await model.complete(
    aRequest({ seed: 7, maxOutputTokens: 50, temperature: 0.5 }),
  );
  expect(await trace.traceTool({ id: "call_1", name: "bash" }, async () => "out")).toBe("out");
  await trace.end({ "assay.exit_status": "submitted" });
  await collector.close();

  const byName = Object.fromEntries(collector.spans.map((span) => [span.name, span]));
  const root = byName["invoke_agent assay"]!;
  expect(Object.keys(byName).sort()).toEqual(["chat coder", "execute_tool bash", "invoke_agent assay"]);
  expect(root.parentSpanId).toBeUndefined();
  expect(root.attributes).toMatchObject({ "assay.seed": 7, "assay.exit_status": "submitted" });
  for (const name of ["chat coder", "execute_tool bash"])
    expect(byName[name]).toMatchObject({ traceId: root.traceId, parentSpanId: root.spanId });
  // SPAN_KIND_CLIENT is 3 on the wire.
  expect(byName["chat coder"]!.kind).toBe(3);
  expect(byName["chat coder"]!.attributes).toEqual({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "scripted",
    "gen_ai.request.model": "coder",
    "gen_ai.request.seed": 7,
    "gen_ai.request.max_tokens": 50,
    "gen_ai.request.temperature": 0.5,
    "gen_ai.usage.input_tokens": usage.input + usage.cached,
    "gen_ai.usage.cache_read.input_tokens": 0,
    "gen_ai.usage.output_tokens": usage.output,
    "gen_ai.usage.reasoning.output_tokens": 0,
    "gen_ai.response.finish_reasons": ["tool_calls"],
    "assay.purpose": "agent",
    "assay.tries": 1,
    "assay.cost_usd": costUsd,
  });
  expect(byName["execute_tool bash"]!.attributes).toMatchObject({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "bash",
    "gen_ai.tool.call.id": "call_1",
  });
});

test("without a collector spans go to a file, one OTLP message a line", async () => {
  using folder = new TempFolder();
  const file = `${folder.path}/trace.jsonl`;
  for (const run of ["a", "b"]) {
    const trace = await startRunTrace({ run, agent: run, file, env: {} });
    await trace.traceModel(await createModel("scripted", { env: {} })).complete(aRequest());
    await trace.end();
  }
  const lines = folder.read("trace.jsonl").trim().split("\n");
  const names = lines.flatMap(readOtlp).map(({ name }) => name);
  expect(names.sort()).toEqual(["chat coder", "chat coder", "invoke_agent a", "invoke_agent b"]);
});

test("a failure is on its span, without the key, and is thrown on", async () => {
  using folder = new TempFolder();
  const trace = await startRunTrace({
    run: "a",
    file: `${folder.path}/t.jsonl`,
    env: { OPENAI_API_KEY: KEY },
  });
  const broken: Model = {
    name: "gpt-4o-mini",
    contextTokens: null,
    countTokens: () => 0,
    complete: () => Promise.reject(new ModelError("auth", `no such key ${KEY}`)),
  };
  await expect(trace.traceModel(broken).complete(aRequest())).rejects.toThrow("no such key");
  const failing = trace.traceTool({ id: "1", name: "bash" }, () => Promise.reject(new TypeError(KEY)));
  await expect(failing).rejects.toThrow(KEY);
  await trace.end();
  expect(folder.read("t.jsonl")).not.toContain(KEY);
  const spans = readOtlp(folder.read("t.jsonl"));
  expect(spans.find(({ name }) => name === "chat gpt-4o-mini")).toMatchObject({
    attributes: { "error.type": "auth", "gen_ai.provider.name": "openai" },
    status: { code: 2, message: "no such key [secret OPENAI_API_KEY]" },
  });
  expect(spans.find(({ name }) => name === "execute_tool bash")!.attributes["error.type"]).toBe("TypeError");
});

test("what was said is in no span", async () => {
  using folder = new TempFolder();
  const trace = await startRunTrace({ run: "a", file: `${folder.path}/t.jsonl`, env: {} });
  const messages = [{ role: "user" as const, text: "a private matter", kind: "task" as const, turn: 0 }];
  await trace.traceModel(await createModel("scripted", { env: {} })).complete(aRequest({ messages }));
  await trace.end();
  expect(folder.read("t.jsonl")).not.toContain("private matter");
});

test("a collector that fails, and one that is gone, cost the run nothing but their spans", async () => {
  for (const isGone of [false, true]) {
    const collector = await startCollector(400);
    if (isGone) await collector.close();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint };
    const trace = await startRunTrace({ run: "a", file: null, env, patienceMs: isGone ? 20 : 60_000 });
    expect(await trace.traceTool({ id: "1", name: "bash" }, async () => 5)).toBe(5);
    await trace.end();
    expect(collector.bodies.length).toBe(isGone ? 0 : 1);
    if (!isGone) await collector.close();
  }
});

test("turned off, nothing is written and the model is the same", async () => {
  using folder = new TempFolder();
  const file = `${folder.path}/t.jsonl`;
  const trace = await startRunTrace({ run: "a", file, env: {}, isOff: true });
  const model = await createModel("scripted", { env: {} });
  expect(trace.traceModel(model)).toBe(model);
  await trace.end();
  expect(existsSync(file)).toBe(false);
});

test("calls of agents that are not ours are spans with their own times, and say what was said only where asked", async () => {
  using folder = new TempFolder();
  const call = {
    ...{ startedAtMs: Date.now() - 60_000, provider: "anthropic", model: "claude-sonnet-4-0", status: 200 },
    usage: { input: 600, cached: 400, cacheWritten: 100, output: 50, reasoning: 0 },
    ...{ costUsd: 0.5, firstTokenMs: 12, isStreamed: true as const },
    content: () => ({
      input: [
        { role: "user" as const, text: `Mend it with ${KEY}` },
        {
          role: "assistant" as const,
          text: "",
          toolCalls: [{ id: "1", name: "Bash", input: { command: "ls" } }],
        },
        { role: "tool" as const, text: "a.js", toolCallId: "1" },
      ],
      output: { thought: "Easy.", text: "Done.", toolCalls: [] },
    }),
  };
  const failed = {
    ...call,
    status: 401,
    usage: null,
    costUsd: null,
    failure: { kind: "auth", text: `no ${KEY}` },
  };
  const spansWith = async (more: Record<string, string>) => {
    const file = `${folder.path}/${Object.keys(more).length}.jsonl`;
    const env = { ANTHROPIC_API_KEY: KEY, ...more };
    const trace = await startRunTrace({ run: "lamp__seed1__a", agent: "claude", file, env });
    for (const one of [call, failed]) trace.noteCall(one);
    await trace.end();
    return readOtlp(readFileSync(file, "utf8"));
  };
  const [first, second, root] = await spansWith({});
  expect(root!.attributes).toMatchObject({ "gen_ai.agent.name": "claude", "assay.run.id": "lamp__seed1__a" });
  expect(first!.attributes).toEqual({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "anthropic",
    "gen_ai.agent.name": "claude",
    "gen_ai.request.model": "claude-sonnet-4-0",
    "gen_ai.request.stream": true,
    "http.response.status_code": 200,
    "gen_ai.usage.input_tokens": 1000,
    "gen_ai.usage.cache_read.input_tokens": 400,
    "gen_ai.usage.cache_creation.input_tokens": 100,
    "gen_ai.usage.output_tokens": 50,
    "gen_ai.usage.reasoning.output_tokens": 0,
    "assay.cost_usd": 0.5,
    "gen_ai.response.time_to_first_chunk": 0.012,
  });
  expect(second!.attributes).toMatchObject({ "error.type": "auth" });
  const spans = await spansWith({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true" });
  const said = (key: string) => JSON.parse(String(spans[0]!.attributes[key]));
  expect(said("gen_ai.input.messages")).toEqual([
    { role: "user", parts: [{ type: "text", content: "Mend it with [secret ANTHROPIC_API_KEY]" }] },
    {
      role: "assistant",
      parts: [{ type: "tool_call", id: "1", name: "Bash", arguments: { command: "ls" } }],
    },
    { role: "tool", parts: [{ type: "tool_call_response", id: "1", response: "a.js" }] },
  ]);
  expect(said("gen_ai.output.messages")).toEqual([
    {
      role: "assistant",
      parts: [
        { type: "reasoning", content: "Easy." },
        { type: "text", content: "Done." },
      ],
      finish_reason: "stop",
    },
  ]);
  expect(JSON.stringify(spans)).not.toContain(KEY);
});
