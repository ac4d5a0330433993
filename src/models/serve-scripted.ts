import type { Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Context } from "hono";
import type { Message, ToolCall } from "../core/message.ts";
import { sleep } from "../host/clock.ts";
import type { CallResult } from "./caller.ts";
import type { ModelRequest, ToolSpec } from "./model.ts";
import { createScriptedCaller } from "./scripted/scripted-caller.ts";
import { loadTokenizer } from "./tokens.ts";

/** What goes wrong with one answer. */
export type Fault =
  | { kind: "rate-limit"; retryAfter?: string }
  | { kind: "error"; status: number; body?: string; headers?: Record<string, string> }
  | { kind: "cut" }
  | { kind: "garbage" }
  | { kind: "slow"; ms: number }
  | { kind: "no-usage" };

export interface ScriptedServer {
  /** To be used as the base URL of an OpenAI-compatible model. */
  baseUrl: string;
  /** What came in, in order; headers with lower-case names. */
  requests: { headers: Record<string, string>; body: Record<string, unknown> }[];
  close(): Promise<void>;
}

interface Serving {
  port?: number;
  /** Asked before each answer, from 1; undefined for a good one. */
  fault?: (call: number) => Fault | undefined;
}

/** Serves the scripted model on this machine alone, as OpenAI's chat completions: with tools, streamed or whole. */
export async function serveScripted({
  port = 0,
  fault = () => undefined,
}: Serving = {}): Promise<ScriptedServer> {
  const [{ Hono }, { serve }, count] = await Promise.all([
    import("hono"),
    import("@hono/node-server"),
    loadTokenizer(),
  ]);
  const caller = createScriptedCaller(count);
  const requests: ScriptedServer["requests"] = [];
  const app = new Hono();
  app.get("/v1/models", (c) => c.json({ object: "list", data: [{ id: "coder", object: "model" }] }));
  app.post("/v1/chat/completions", async (c) => {
    const body = (await c.req.json()) as Record<string, unknown>;
    requests.push({ headers: c.req.header(), body });
    const trouble = fault(requests.length);
    if (trouble?.kind === "slow") await sleep(trouble.ms);
    const broken = trouble && answerWrongly(c, trouble);
    if (broken) return broken;
    const result = await caller(readCompletionRequest(body, c.req.raw.signal));
    if (trouble?.kind === "no-usage") result.usage = undefined;
    const id = `scripted-${requests.length}`;
    if (body.stream !== true) {
      const text = JSON.stringify(completionJson(id, String(body.model), result));
      return trouble?.kind === "cut" ? cutShort(c, text, "application/json") : c.body(text, 200, JSON_TYPE);
    }
    const text = completionChunks(id, String(body.model), result);
    return trouble?.kind === "cut" ? cutShort(c, text, "text/event-stream") : c.body(text, 200, STREAM_TYPE);
  });
  const server = await new Promise<Server>((resolve) => {
    const started = serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, () =>
      resolve(started as Server),
    );
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const JSON_TYPE = { "content-type": "application/json" };
const STREAM_TYPE = { "content-type": "text/event-stream" };

function answerWrongly(c: Context, fault: Fault): Response | undefined {
  if (fault.kind === "garbage") return c.body('{"id": "scripted", "choices": [{"mess', 200, JSON_TYPE);
  if (fault.kind === "rate-limit") {
    const headers = fault.retryAfter === undefined ? {} : { "retry-after": fault.retryAfter };
    return c.json({ error: { message: "slow down", type: "rate_limit" } }, 429, headers);
  }
  if (fault.kind !== "error") return undefined;
  const body = fault.body ?? JSON.stringify({ error: { message: "the server fell over", type: "server" } });
  return c.body(body, fault.status as 500, { ...JSON_TYPE, ...fault.headers });
}

/** Half of the answer, then the connection breaks. */
function cutShort(c: Context, text: string, type: string): Response {
  const { outgoing } = c.env as { outgoing: ServerResponse };
  const half = new TextEncoder().encode(text.slice(0, Math.floor(text.length / 2)));
  let isSent = false;
  const stream = new ReadableStream({
    pull(controller) {
      if (isSent) outgoing.destroy();
      else controller.enqueue(half);
      isSent = true;
    },
  });
  return new Response(stream, { status: 200, headers: { "content-type": type } });
}

interface WireMessage {
  role: Message["role"] | "developer";
  content?: string | { type: string; text?: string }[] | null;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

/** A request as OpenAI's chat protocol has it, as ours. What a message is for does not travel: the prompt must do. */
function readCompletionRequest(body: Record<string, unknown>, signal: AbortSignal): ModelRequest {
  const tools = (body.tools ?? []) as {
    function: { name: string; description?: string; parameters?: ToolSpec["input"] };
  }[];
  return {
    messages: ((body.messages ?? []) as WireMessage[]).map(readMessage),
    tools: tools.map(({ function: { name, description = "", parameters = {} } }) => ({
      name,
      description,
      input: parameters,
    })),
    purpose: tools.length > 0 ? "agent" : "summary",
    seed: typeof body.seed === "number" ? body.seed : 0,
    signal,
  };
}

function readMessage({ role, content, tool_calls, tool_call_id }: WireMessage): Message {
  const text =
    typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");
  return {
    role: role === "developer" ? "system" : role,
    text,
    kind: role === "assistant" ? "action" : role === "tool" ? "observation" : "task",
    turn: 0,
    ...(tool_calls && { toolCalls: tool_calls.map(readCall) }),
    ...(tool_call_id && { toolCallId: tool_call_id }),
  };
}

function readCall({
  id,
  function: { name, arguments: text },
}: NonNullable<WireMessage["tool_calls"]>[0]): ToolCall {
  return { id, name, input: JSON.parse(text || "{}") as Record<string, unknown> };
}

function wireCalls({ toolCalls = [] }: Message) {
  return toolCalls.map(({ id, name, input }, index) => ({
    index,
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
}

function wireUsage({ usage }: CallResult) {
  if (!usage) return undefined;
  const { input, cached, output, reasoning } = usage;
  return {
    prompt_tokens: input + cached,
    completion_tokens: output,
    total_tokens: input + cached + output,
    prompt_tokens_details: { cached_tokens: cached },
    // As DeepSeek's clients read it.
    prompt_cache_hit_tokens: cached,
    prompt_cache_miss_tokens: input,
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

function completionJson(id: string, model: string, result: CallResult): unknown {
  const { message } = result;
  const calls = wireCalls(message).map(({ index, ...call }) => call);
  const wire = { role: "assistant", content: message.text, ...(calls.length > 0 && { tool_calls: calls }) };
  const choice = { index: 0, message: wire, finish_reason: finishReason(result) };
  return { id, object: "chat.completion", created: 0, model, choices: [choice], usage: wireUsage(result) };
}

/** The same as server-sent events: the text by words, then the calls, then the usage. */
function completionChunks(id: string, model: string, result: CallResult): string {
  const base = { id, object: "chat.completion.chunk", created: 0, model };
  const delta = (part: unknown, finish: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta: part, finish_reason: finish }],
  });
  const words = result.message.text.match(/\S+\s*|\s+/g) ?? [];
  const chunks: unknown[] = [
    delta({ role: "assistant", content: "" }),
    ...words.map((content) => delta({ content })),
    ...wireCalls(result.message).map((call) => delta({ tool_calls: [call] })),
    delta({}, finishReason(result)),
    { ...base, choices: [], usage: wireUsage(result) },
  ];
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`;
}

function finishReason({ finish }: CallResult): string {
  return finish === "tools" ? "tool_calls" : finish === "filter" ? "content_filter" : finish;
}
