import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What goes wrong with a call: a status with a refusal, an answer that breaks off, or none that can be read. */
export type ProviderFault = number | "cut" | "garbage" | "hang-up";

export interface Provider {
  /** Without a path. */
  url: string;
  /** What came in: method and path, headers, body. */
  requests: { line: string; headers: Record<string, unknown>; body: Record<string, unknown> }[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** The name and the arguments of the shell tool, as each agent's requests offer it. */
const SHELL: Record<string, (command: string) => Record<string, unknown>> = {
  exec_command: (cmd) => ({ cmd }),
  shell: (command) => ({ command: ["bash", "-lc", command] }),
  shell_command: (command) => ({ command }),
  Bash: (command) => ({ command, description: "does the task" }),
  bash: (command) => ({ command, description: "does the task" }),
  run_commands: (command) => ({ commands: [command] }),
  run_shell_command: (command) => ({ command, description: "does the task" }),
};

/**
 * A stand-in for the paid model servers, on loopback, which speaks their protocols, streamed and whole: it asks the agent
 * for one shell command, then says that it is done. `fault` is asked before each call to a model, from 1.
 */
export async function aProvider(
  command: string,
  fault: (call: number) => ProviderFault | undefined = () => undefined,
  /** What a call waits for before it is answered. */
  hold: (call: number) => Promise<void> | undefined = () => undefined,
): Promise<Provider> {
  const requests: Provider["requests"] = [];
  let calls = 0;
  const server = createServer(async (incoming, outgoing) => {
    const body = await bodyOf(incoming);
    requests.push({ line: `${incoming.method} ${incoming.url}`, headers: incoming.headers, body });
    const path = incoming.url!.split("?")[0]!;
    const write = WRITERS.find(([pattern]) => pattern.test(path))?.[1];
    if (incoming.method !== "POST" || write === undefined) {
      outgoing
        .writeHead(404, { "content-type": "application/json" })
        .end('{"error":{"message":"no such page"}}');
      return;
    }
    const number = ++calls;
    await hold(number);
    const trouble = fault(number);
    if (trouble === "hang-up") outgoing.destroy();
    else if (typeof trouble === "number")
      outgoing
        .writeHead(trouble, { "content-type": "application/json", "retry-after": "0" })
        .end(JSON.stringify({ error: { type: "refused", message: `refused with ${trouble}` } }));
    else if (trouble === "garbage")
      outgoing.writeHead(200, { "content-type": "application/json" }).end('{"mess');
    else {
      const text = write(body, command, path.includes(":stream"));
      send(outgoing, text, {
        isStream: body.stream === true || path.includes(":stream"),
        isCut: trouble === "cut",
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of incoming) text += String(chunk);
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
}

function send(
  outgoing: ServerResponse,
  text: string,
  { isStream, isCut }: { isStream: boolean; isCut: boolean },
) {
  outgoing.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
  if (!isCut) outgoing.end(text);
  else outgoing.write(text.slice(0, text.length / 2), () => outgoing.destroy());
}

interface Tool {
  name?: string;
  function?: { name: string };
  functionDeclarations?: { name: string }[];
}

/** The call that the agent is asked for; undefined once its answer is in the conversation, or where it has no shell. */
function nextCall(body: Record<string, unknown>, command: string) {
  const tools = ((body.tools ?? []) as Tool[]).flatMap(
    ({ name, function: own, functionDeclarations = [] }) => [
      name ?? own?.name,
      ...functionDeclarations.map((one) => one.name),
    ],
  );
  const name = tools.find((tool) => tool !== undefined && Object.hasOwn(SHELL, tool));
  const isDone = /function_call_output|"tool_result"|"role":"tool"|functionResponse/.test(
    JSON.stringify(body),
  );
  return name === undefined || isDone ? undefined : { name, input: SHELL[name]!(command) };
}

const event = (data: Record<string, unknown>) =>
  `event: ${String(data.type)}\ndata: ${JSON.stringify(data)}\n\n`;

type Writer = (body: Record<string, unknown>, command: string, isStream: boolean) => string;

const writeResponses: Writer = (body, command) => {
  const call = nextCall(body, command);
  const item = call
    ? {
        type: "function_call",
        id: "fc_1",
        call_id: "call_1",
        name: call.name,
        arguments: JSON.stringify(call.input),
      }
    : {
        type: "message",
        id: "msg_1",
        role: "assistant",
        content: [{ type: "output_text", text: "Done.", annotations: [] }],
      };
  const usage = {
    ...{ input_tokens: 1000, output_tokens: 50, total_tokens: 1050 },
    ...{ input_tokens_details: { cached_tokens: 400 }, output_tokens_details: { reasoning_tokens: 10 } },
  };
  const response = {
    id: "resp_1",
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

const writeMessages: Writer = (body, command) => {
  const call = nextCall(body, command);
  const usage = {
    input_tokens: 600,
    cache_read_input_tokens: 400,
    cache_creation_input_tokens: 0,
    output_tokens: 1,
  };
  const block = call
    ? { type: "tool_use", id: "toolu_1", name: call.name, input: call.input }
    : { type: "text", text: "Done." };
  const reason = call ? "tool_use" : "end_turn";
  const message = { id: "msg_1", type: "message", role: "assistant", model: body.model };
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

const writeChat: Writer = (body, command) => {
  const call = nextCall(body, command);
  const calls = call && [
    {
      index: 0,
      id: "call_1",
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
  const base = { id: "chat_1", created: 0, model: body.model };
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

const writeGemini: Writer = (body, command, isStream) => {
  const call = nextCall(body, command);
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
  [/^\/v1beta\/models\/[^/]+:(stream)?[gG]enerateContent$/, writeGemini],
];
