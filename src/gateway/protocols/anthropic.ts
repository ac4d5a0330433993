import { numberAt, valueAt } from "../../core/nest-params.ts";
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

/** Anthropic Messages. */
export const anthropic: Protocol = {
  name: "anthropic-messages",
  vendor: "anthropic",
  calls: /^\/v1\/messages$/,
  asks: /^\/v1\/messages\//,
  modelOf: modelIn,
  mostOutput: (body) => numberAt(body, "max_tokens"),
  addUsage(usage, event) {
    const told = valueAt(event, "message", "usage") ?? valueAt(event, "usage");
    if (told === undefined) return usage;
    const before = usage ?? { input: 0, cached: 0, output: 0, reasoning: 0 };
    const input = numberAt(told, "input_tokens");
    const written = numberAt(told, "cache_creation_input_tokens") ?? 0;
    return {
      ...before,
      // The last event may tell of the answer alone.
      ...(input !== undefined && {
        input: input + written,
        cached: numberAt(told, "cache_read_input_tokens") ?? 0,
        ...(written > 0 && { cacheWritten: written }),
      }),
      output: numberAt(told, "output_tokens") ?? before.output,
    };
  },
  errorIn: messageOfError,
  refusalStatus: 402,
  refusal: (text) => ({ type: "error", error: { type: "billing_error", message: text } }),
  readPrompt(body) {
    const system = textOf(body.system);
    return {
      messages: [
        ...(system === "" ? [] : [{ role: "system" as const, text: system }]),
        ...listOf(body.messages).flatMap(readMessage),
      ],
      tools: listOf(body.tools).map((tool) => wordAt(tool, "name")),
    };
  },
  addAnswer(answer, event) {
    const place = numberAt(event, "index") ?? 0;
    if (event.type === "content_block_start") addBlock(answer, place, valueAt(event, "content_block"));
    else if (event.type === "content_block_delta") addDelta(answer, place, valueAt(event, "delta"));
    else if (event.type === "message")
      for (const [i, block] of listOf(event.content).entries()) addBlock(answer, i, block);
  },
};

function addBlock(answer: Answer, place: number, block: unknown): void {
  const type = wordAt(block, "type");
  if (type === "text") answer.part(place, "text").text = wordAt(block, "text");
  else if (type === "thinking") answer.part(place, "thought").text = wordAt(block, "thinking");
  else if (/(^|_)tool_use$/.test(type)) {
    const input = inputOf(valueAt(block, "input"));
    // A stream starts with an empty one.
    const text = Object.keys(input).length === 0 ? "" : JSON.stringify(input);
    Object.assign(answer.part(place, "call"), { id: wordAt(block, "id"), name: wordAt(block, "name"), text });
  }
}

function addDelta(answer: Answer, place: number, delta: unknown): void {
  const type = wordAt(delta, "type");
  if (type === "text_delta") answer.part(place, "text").text += wordAt(delta, "text");
  else if (type === "thinking_delta") answer.part(place, "thought").text += wordAt(delta, "thinking");
  else if (type === "input_json_delta") answer.part(place, "call").text += wordAt(delta, "partial_json");
}

/** Results of tools stand in the user's messages, calls in the assistant's. */
function readMessage({ role, content }: Json): Said[] {
  if (!Array.isArray(content)) return [{ role: roleOf(role), text: textOf(content) }];
  const blocks = listOf(content);
  const results = blocks.filter(({ type }) => type === "tool_result");
  const said: Said[] = results.map((block) => ({
    role: "tool",
    text: textOf(block.content),
    toolCallId: wordAt(block, "tool_use_id"),
  }));
  const toolCalls = blocks.flatMap((block) =>
    block.type === "tool_use"
      ? { id: wordAt(block, "id"), name: wordAt(block, "name"), input: inputOf(block.input) }
      : [],
  );
  const others = blocks.filter(({ type }) => !/^tool_(result|use)$|thinking$/.test(String(type)));
  if (others.length > 0 || toolCalls.length > 0)
    said.push({ role: roleOf(role), text: textOf(others), ...(toolCalls.length > 0 && { toolCalls }) });
  return said;
}

const roleOf = (role: unknown): Said["role"] =>
  role === "assistant" ? "assistant" : role === "system" ? "system" : "user";
