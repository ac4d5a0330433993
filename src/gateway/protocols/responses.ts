import { numberAt, valueAt } from "../../core/nest-params.ts";
import { chat } from "./chat.ts";
import {
  type Answer,
  inputOf,
  type Json,
  listOf,
  messageOfError,
  modelIn,
  type Protocol,
  type Said,
  textOf,
  wordAt,
} from "./protocol.ts";

/** OpenAI Responses, as codex speaks it. */
export const responses: Protocol = {
  name: "openai-responses",
  vendor: "openai",
  calls: /^\/v1\/responses$/,
  asks: /^\/v1\/responses\//,
  modelOf: modelIn,
  mostOutput: (body) => numberAt(body, "max_output_tokens"),
  addUsage(usage, event) {
    const told = valueAt(event, "response", "usage") ?? valueAt(event, "usage");
    const input = numberAt(told, "input_tokens");
    if (input === undefined) return usage;
    const cached = numberAt(told, "input_tokens_details", "cached_tokens") ?? 0;
    return {
      ...{ input: input - cached, cached, output: numberAt(told, "output_tokens") ?? 0 },
      reasoning: numberAt(told, "output_tokens_details", "reasoning_tokens") ?? 0,
    };
  },
  errorIn: (event) =>
    event.type === "response.failed" ? messageOfError(valueAt(event, "response")) : messageOfError(event),
  // Codex would try a 402 again five times.
  refusalStatus: 400,
  refusal: chat.refusal,
  readPrompt(body) {
    const instructions = wordAt(body, "instructions");
    const asked: Said[] = typeof body.input === "string" ? [{ role: "user", text: body.input }] : [];
    return {
      messages: [
        ...(instructions === "" ? [] : [{ role: "system" as const, text: instructions }]),
        ...asked,
        ...joinAnswers(listOf(body.input).flatMap(readItem)),
      ],
      tools: listOf(body.tools).map((tool) => wordAt(tool, "name") || wordAt(tool, "type")),
    };
  },
  addAnswer(answer, event) {
    if (event.type === "response.output_item.done")
      return addItem(answer, numberAt(event, "output_index") ?? 0, valueAt(event, "item"));
    // A whole answer, or a stream that tells its items at its end alone.
    const output = event.object === "response" ? event.output : valueAt(event, "response", "output");
    const isEnd = event.object === "response" || event.type === "response.completed";
    if (isEnd && answer.isEmpty) for (const [i, item] of listOf(output).entries()) addItem(answer, i, item);
  },
};

/** Names of what calls a tool, and where each keeps its arguments. */
const CALLS: Record<string, string> = {
  function_call: "arguments",
  custom_tool_call: "input",
  local_shell_call: "action",
  web_search_call: "action",
};

function addItem(answer: Answer, place: number, item: unknown): void {
  const type = wordAt(item, "type");
  if (type === "message") answer.part(place, "text").text = textOf(valueAt(item, "content"));
  else if (type === "reasoning") answer.part(place, "thought").text = thoughtOf(item);
  else if (Object.hasOwn(CALLS, type)) {
    const given = valueAt(item, CALLS[type]!);
    const text = typeof given === "string" ? given : JSON.stringify(given ?? {});
    const name = wordAt(item, "name") || type;
    Object.assign(answer.part(place, "call"), { text, name, id: idOf(item) });
  }
}

const idOf = (item: unknown) => wordAt(item, "call_id") || wordAt(item, "id");
const thoughtOf = (item: unknown) => textOf(listOf(valueAt(item, "summary")));

function readItem(item: Json): Said[] {
  const type = wordAt(item, "type") || "message";
  if (type === "message") {
    const text = textOf(item.content);
    if (item.role === "assistant") return [{ role: "assistant", text }];
    return [{ role: item.role === "user" ? "user" : "system", text }];
  }
  if (type.endsWith("_output"))
    return [{ role: "tool", text: outputOf(item.output), toolCallId: idOf(item) }];
  if (!Object.hasOwn(CALLS, type)) return [];
  const call = { id: idOf(item), name: wordAt(item, "name") || type, input: inputOf(item[CALLS[type]!]) };
  return [{ role: "assistant", text: "", toolCalls: [call] }];
}

function outputOf(output: unknown): string {
  const content = valueAt(output, "content") ?? valueAt(output, "output");
  return textOf(typeof content === "string" ? content : output);
}

/** A message and the calls after it are one answer. */
function joinAnswers(items: readonly Said[]): Said[] {
  const joined: Said[] = [];
  for (const item of items) {
    const last = joined.at(-1);
    if (item.role !== "assistant" || last?.role !== "assistant" || item.toolCalls === undefined)
      joined.push(item);
    else last.toolCalls = [...(last.toolCalls ?? []), ...item.toolCalls];
  }
  return joined;
}
