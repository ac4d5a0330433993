import type { Attributes, SpanKind } from "@opentelemetry/api";
import type { Message, ToolCall } from "../core/message.ts";
import { createRedactor } from "../core/redact.ts";
import type { Usage } from "../core/trajectory.ts";
import { type Model, type ModelAnswer, ModelError, type ModelRequest } from "./model.ts";
import { parseModelSpec } from "./model-spec.ts";
import { findProvider } from "./providers/index.ts";
import type { Environment } from "./providers/provider.ts";
import { collectorUrl, openCollectorTrace } from "./trace-collector.ts";
import { openTraceFile } from "./trace-file.ts";
import type { OpenSpan, SpanStart, TraceTree } from "./trace-tree.ts";

/** Spans of one run: all its calls lie under one span, by OpenTelemetry's conventions for generative AI. */
export interface RunTrace {
  /** The same model, with a span for each call. */
  traceModel(model: Model): Model;
  /** Runs a tool inside a span. */
  traceTool<T>(call: Pick<ToolCall, "id" | "name">, run: () => Promise<T>): Promise<T>;
  /** A span for a call that somebody else made, and that has ended just now. */
  noteCall(call: TracedCall): void;
  /** Ends the run's span; resolves when everything is written or sent, or has failed to be. */
  end(attributes?: Attributes): Promise<void>;
}

/** A call of an agent that is not ours, as the traffic shows it. */
export interface TracedCall {
  startedAtMs: number;
  provider: string;
  model: string | null;
  status: number;
  usage: Usage | null;
  costUsd: number | null;
  firstTokenMs: number | null;
  isStreamed?: true;
  isRetry?: true;
  failure?: { kind: string; text: string };
  /** Made only where the user wants what was said in the spans. */
  content(): TracedContent;
}

interface TracedContent {
  input: readonly Pick<Message, "role" | "text" | "toolCalls" | "toolCallId">[];
  output: { thought: string; text: string; toolCalls: readonly ToolCall[] };
}

interface Tracing {
  /** Where spans go when no collector is named: one OTLP JSON message a line. Null for nowhere. */
  file: string | null;
  /** How long the first run waits for a collector that does not answer. */
  patienceMs?: number;
  /** The run's id or another name for it. */
  run: string;
  agent?: string;
  attributes?: Attributes;
  env?: Environment;
  /** Traces nothing, and loads nothing; OTEL_SDK_DISABLED=true does the same. */
  isOff?: boolean;
}

const UNTRACED: RunTrace = {
  traceModel: (model) => model,
  traceTool: (_, run) => run(),
  noteCall: () => {},
  end: async () => {},
};
/** The numbers of @opentelemetry/api's SpanKind and SpanStatusCode, which is loaded late. */
const INTERNAL: SpanKind = 0;
const CLIENT: SpanKind = 2;
const FAILED = 2;

/** To a file, or to the collector that OTEL_EXPORTER_OTLP_ENDPOINT names. What was said is not in the spans, only how much. */
export async function startRunTrace(tracing: Tracing): Promise<RunTrace> {
  const { env = process.env, isOff = false } = tracing;
  const tree = isOff || env.OTEL_SDK_DISABLED === "true" ? undefined : await openTree(tracing, env);
  if (!tree) return UNTRACED;
  return {
    traceModel: (model) => traceModel(model, tree, env),
    traceTool({ id, name }, run) {
      const attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.tool.call.id": id,
        "gen_ai.tool.type": "function",
      };
      const span = tree.startSpan({ name: `execute_tool ${name}`, kind: INTERNAL, attributes });
      return endWith(span, env, run);
    },
    noteCall: (call) => noteCall(call, { tree, env, agent: tracing.agent }),
    async end(more = {}) {
      tree.root.setAttributes(more);
      tree.root.end();
      await tree.flush();
    },
  };
}

async function openTree(
  { run, agent, attributes, file, patienceMs }: Tracing,
  env: Environment,
): Promise<TraceTree | undefined> {
  const start: SpanStart = {
    name: agent === undefined ? "invoke_agent" : `invoke_agent ${agent}`,
    kind: INTERNAL,
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      ...(agent !== undefined && { "gen_ai.agent.name": agent }),
      "assay.run.id": run,
      ...attributes,
    },
  };
  const url = collectorUrl(env);
  if (url) return openCollectorTrace(url, start, patienceMs);
  return file === null ? undefined : openTraceFile(file, start);
}

function traceModel(model: Model, tree: TraceTree, env: Environment): Model {
  const { modelId, provider } = nameParts(model.name);
  const name = `chat ${modelId}`;
  // Most calls of a run ask alike: the same object is encoded once.
  let last = { request: {} as Partial<ModelRequest>, attributes: {} as Attributes };
  const attributesOf = (request: ModelRequest): Attributes => {
    if (ASKED.some((field) => last.request[field] !== request[field])) {
      const { purpose, seed, maxOutputTokens, temperature } = request;
      const own = { "gen_ai.request.model": modelId, "gen_ai.provider.name": provider };
      const asked = { purpose, seed, maxOutputTokens, temperature } as ModelRequest;
      last = { request: asked, attributes: { ...requestAttributes(asked), ...own } };
    }
    return last.attributes;
  };
  return {
    ...model,
    complete(request) {
      const span = tree.startSpan({ name, kind: CLIENT, attributes: attributesOf(request) });
      return endWith(span, env, async () => {
        const answer = await model.complete(request);
        span.setAttributes(answerAttributes(answer));
        return answer;
      });
    },
  };
}

/** OpenTelemetry's own variable for what was said. */
const CONTENT_VARIABLE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";

function noteCall(
  call: TracedCall,
  { tree, env, agent }: { tree: TraceTree; env: Environment; agent: string | undefined },
): void {
  const { model, provider, startedAtMs, status, usage, costUsd, firstTokenMs, failure } = call;
  const operation = provider === "gcp.gemini" ? "generate_content" : "chat";
  const span = tree.startSpan({
    name: model === null ? operation : `${operation} ${model}`,
    kind: CLIENT,
    startTime: startedAtMs,
    attributes: {
      "gen_ai.operation.name": operation,
      "gen_ai.provider.name": provider,
      ...(agent !== undefined && { "gen_ai.agent.name": agent }),
      ...(model !== null && { "gen_ai.request.model": model }),
      ...(call.isStreamed && { "gen_ai.request.stream": true }),
      ...(status > 0 && { "http.response.status_code": status }),
    },
  });
  const redactor = createRedactor(env);
  if (usage) span.setAttributes(usageAttributes(usage));
  if (costUsd !== null) span.setAttributes({ "assay.cost_usd": costUsd });
  if (firstTokenMs !== null && call.isStreamed)
    span.setAttributes({ "gen_ai.response.time_to_first_chunk": firstTokenMs / 1000 });
  if (call.isRetry) span.setAttributes({ "assay.is_retry": true });
  if (env[CONTENT_VARIABLE] === "true") {
    const { input, output } = call.content();
    span.setAttributes({
      "gen_ai.input.messages": redactor.toJson(input.map(inputMessage)),
      "gen_ai.output.messages": redactor.toJson([outputMessage(output, failure !== undefined)]),
    });
  }
  if (failure) {
    span.setAttributes({ "error.type": failure.kind });
    span.setStatus({ code: FAILED, message: redactor.text(failure.text) });
  }
  span.end();
}

/** As the conventions' JSON schema for messages has them: whoever speaks does so in parts. */
function inputMessage({ role, text, toolCalls = [], toolCallId }: TracedContent["input"][number]): object {
  const parts =
    toolCallId === undefined
      ? textParts("text", text)
      : [{ type: "tool_call_response", id: toolCallId, response: text }];
  return { role, parts: [...parts, ...toolCalls.map(callPart)] };
}

function outputMessage({ thought, text, toolCalls }: TracedContent["output"], isBroken: boolean): object {
  const parts = [...textParts("reasoning", thought), ...textParts("text", text), ...toolCalls.map(callPart)];
  const finish = isBroken ? "error" : toolCalls.length > 0 ? "tool_call" : "stop";
  return { role: "assistant", parts, finish_reason: finish };
}

const textParts = (type: "text" | "reasoning", content: string) =>
  content === "" ? [] : [{ type, content }];
const callPart = ({ id, name, input }: ToolCall) => ({ type: "tool_call", id, name, arguments: input });

/** What of a request is on its span. */
const ASKED = ["purpose", "seed", "maxOutputTokens", "temperature"] as const;

function nameParts(name: string): { modelId: string; provider: string } {
  try {
    const spec = parseModelSpec(name);
    return { modelId: spec.modelId, provider: findProvider(spec)?.vendor.trace ?? spec.provider };
  } catch {
    return { modelId: name, provider: "unknown" };
  }
}

function requestAttributes({ purpose, seed, maxOutputTokens, temperature }: ModelRequest): Attributes {
  return {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.seed": seed,
    ...(maxOutputTokens !== undefined && { "gen_ai.request.max_tokens": maxOutputTokens }),
    ...(temperature !== undefined && { "gen_ai.request.temperature": temperature }),
    "assay.purpose": purpose,
  };
}

const FINISH_REASON: Record<ModelAnswer["finish"], string> = {
  stop: "stop",
  tools: "tool_calls",
  length: "length",
  filter: "content_filter",
  other: "other",
};

function usageAttributes(usage: Usage): Attributes {
  return {
    // Cached tokens are a part of the input there.
    "gen_ai.usage.input_tokens": usage.input + usage.cached,
    "gen_ai.usage.cache_read.input_tokens": usage.cached,
    ...(usage.cacheWritten !== undefined && {
      "gen_ai.usage.cache_creation.input_tokens": usage.cacheWritten,
    }),
    "gen_ai.usage.output_tokens": usage.output,
    "gen_ai.usage.reasoning.output_tokens": usage.reasoning,
  };
}

function answerAttributes({ usage, costUsd, finish, tries }: ModelAnswer): Attributes {
  return {
    ...usageAttributes(usage),
    "gen_ai.response.finish_reasons": [FINISH_REASON[finish]],
    "assay.tries": tries,
    ...(costUsd !== null && { "assay.cost_usd": costUsd }),
  };
}

async function endWith<T>(span: OpenSpan, env: Environment, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const type = error instanceof ModelError ? error.kind : error instanceof Error ? error.name : "_OTHER";
    const message = error instanceof Error ? error.message : String(error);
    span.setAttributes({ "error.type": type });
    span.setStatus({ code: FAILED, message: createRedactor(env).text(message) });
    throw error;
  } finally {
    span.end();
  }
}
