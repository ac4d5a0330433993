import { type Json, listOf } from "./protocols/protocol.ts";

/** A tool that the model wants used. */
export interface AskedTool {
  name: string;
  input: Json;
  /** Where an agent of OpenAI's offers tools in groups, such as those of a server. */
  namespace?: string;
  /** Which call of the conversation it is, from 1. */
  number: number;
}

/** What a model that costs nothing says, in the words of the protocol that a path belongs to. */
export interface StandInAnswer {
  contentType: string;
  text: string;
}

/** Asks for a tool, or says that it is done; undefined where the path calls no model. */
export function standInAnswer(path: string, body: Json, call?: AskedTool): StandInAnswer | undefined {
  const write = WRITERS.find(([pattern]) => pattern.test(path))?.[1];
  const isStream = body.stream === true || path.includes(":stream");
  const contentType = isStream ? "text/event-stream" : "application/json";
  return write && { contentType, text: write(body, call, isStream) };
}

const event = (data: Record<string, unknown>) =>
  `event: ${String(data.type)}\ndata: ${JSON.stringify(data)}\n\n`;

/** By which answers in one conversation have ids of their own: an agent takes answers with one id for parts of one. */
const lengthOf = (messages: unknown) => listOf(messages).length;

type Writer = (body: Json, call: AskedTool | undefined, isStream: boolean) => string;

const writeResponses: Writer = (body, call) => {
  const item = call
    ? {
        type: "function_call",
        id: `fc_${call.number}`,
        call_id: `call_${call.number}`,
        name: call.name,
        ...(call.namespace !== undefined && { namespace: call.namespace }),
        arguments: JSON.stringify(call.input),
      }
    : {
        type: "message",
        id: `msg_${lengthOf(body.input)}`,
        role: "assistant",
        content: [{ type: "output_text", text: "Done.", annotations: [] }],
      };
  const usage = {
    ...{ input_tokens: 1000, output_tokens: 50, total_tokens: 1050 },
    ...{ input_tokens_details: { cached_tokens: 400 }, output_tokens_details: { reasoning_tokens: 10 } },
  };
  const response = {
    id: `resp_${lengthOf(body.input)}`,
    object: "response",
    model: body.model,
    status: "completed",
    output: [item],
    usage,
  };
  if (body.stream !== true) return JSON.stringify(response);
  return [
    event({
      type: "response.created",
      response: { ...response, status: "in_progress", output: [], usage: null },
    }),
    event({ type: "response.output_item.added", output_index: 0, item: emptied(item) }),
    ...deltas(item),
    event({ type: "response.output_item.done", output_index: 0, item }),
    event({ type: "response.completed", response }),
  ].join("");
};

type Item = { type: string; id: string; arguments?: string };

/** What an item looks like before its text or its arguments come. */
const emptied = (item: Item) =>
  item.type === "message" ? { ...item, content: [] } : { ...item, arguments: "" };

const deltas = ({ type, id: item_id, arguments: whole }: Item) => {
  const at = { item_id, output_index: 0 };
  const part = { type: "output_text", text: "", annotations: [] };
  return type === "message"
    ? [
        event({ ...at, type: "response.content_part.added", content_index: 0, part }),
        event({ ...at, type: "response.output_text.delta", content_index: 0, delta: "Done." }),
        event({ ...at, type: "response.output_text.done", content_index: 0, text: "Done." }),
      ]
    : [
        event({ ...at, type: "response.function_call_arguments.delta", delta: whole }),
        event({ ...at, type: "response.function_call_arguments.done", arguments: whole }),
      ];
};

const writeMessages: Writer = (body, call) => {
  const usage = {
    input_tokens: 600,
    cache_read_input_tokens: 400,
    cache_creation_input_tokens: 0,
    output_tokens: 1,
  };
  const block = call
    ? { type: "tool_use", id: `toolu_${call.number}`, name: call.name, input: call.input }
    : { type: "text", text: "Done." };
  const reason = call ? "tool_use" : "end_turn";
  const message = {
    id: `msg_${lengthOf(body.messages)}`,
    type: "message",
    role: "assistant",
    model: body.model,
  };
  if (body.stream !== true)
    return JSON.stringify({
      ...message,
      content: [block],
      stop_reason: reason,
      usage: { ...usage, output_tokens: 50 },
    });
  const empty = call ? { ...block, input: {} } : { type: "text", text: "" };
  const delta = call
    ? { type: "input_json_delta", partial_json: JSON.stringify(call.input) }
    : { type: "text_delta", text: "Done." };
  return [
    event({ type: "message_start", message: { ...message, content: [], stop_reason: null, usage } }),
    event({ type: "content_block_start", index: 0, content_block: empty }),
    event({ type: "content_block_delta", index: 0, delta }),
    event({ type: "content_block_stop", index: 0 }),
    event({ type: "message_delta", delta: { stop_reason: reason }, usage: { output_tokens: 50 } }),
    event({ type: "message_stop" }),
  ].join("");
};

const writeChat: Writer = (body, call) => {
  const calls = call && [
    {
      index: 0,
      id: `call_${call.number}`,
      type: "function",
      function: { name: call.name, arguments: JSON.stringify(call.input) },
    },
  ];
  const usage = {
    ...{ prompt_tokens: 1000, completion_tokens: 50, total_tokens: 1050 },
    prompt_tokens_details: { cached_tokens: 400 },
  };
  const message = { role: "assistant", content: call ? null : "Done.", ...(calls && { tool_calls: calls }) };
  const finish = call ? "tool_calls" : "stop";
  const base = { id: `chat_${lengthOf(body.messages)}`, created: 0, model: body.model };
  if (body.stream !== true)
    return JSON.stringify({
      ...base,
      object: "chat.completion",
      choices: [{ index: 0, message, finish_reason: finish }],
      usage,
    });
  const chunk = (delta: unknown, reason: string | null = null) =>
    `data: ${JSON.stringify({ ...base, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
  const last = `data: ${JSON.stringify({ ...base, object: "chat.completion.chunk", choices: [], usage })}\n\n`;
  return `${chunk(message)}${chunk({}, finish)}${last}data: [DONE]\n\n`;
};

const writeGemini: Writer = (_, call, isStream) => {
  const part = call ? { functionCall: { name: call.name, args: call.input } } : { text: "Done." };
  const answer = {
    candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
    usageMetadata: {
      ...{ promptTokenCount: 1000, cachedContentTokenCount: 400, candidatesTokenCount: 40 },
      ...{ thoughtsTokenCount: 10, totalTokenCount: 1050 },
    },
  };
  return isStream ? `data: ${JSON.stringify(answer)}\n\n` : JSON.stringify(answer);
};

const WRITERS: [RegExp, Writer][] = [
  [/^\/v1\/responses$/, writeResponses],
  [/^\/v1\/messages$/, writeMessages],
  [/^\/v1\/chat\/completions$/, writeChat],
  [/^\/v1(beta)?\/models\/[^/]+:(stream)?[gG]enerateContent$/, writeGemini],
];
