import type { Message, ToolCall } from "../core/message.ts";
import type { Usage } from "../core/trajectory.ts";
import type { GatewayCall } from "./call.ts";
import type { Answer, Prompt, Said } from "./protocols/protocol.ts";

/** One answer of an agent's model, and what came of it. */
export interface TranscriptTurn {
  turn: number;
  thought: string;
  action: string;
  observation: string;
  usage: Usage | null;
  costUsd: number | null;
  modelMs: number;
  /** Until the next question: the tools' time and the agent's own; null after the last. */
  toolMs: number | null;
  promptTokens: number | null;
  /** What the agent put in place of its conversation so far. */
  checkpoint?: string;
}

/** A conversation that grows with each call: agents send all of it every time. */
interface Thread {
  model: string | null;
  tools: string;
  turns: TranscriptTurn[];
  messages: Message[];
  /** Ids of calls whose results have not come yet. */
  open: Set<string>;
  /** How many messages of the last prompt there were. */
  sent: number;
  endedAtMs: number;
}

/**
 * What an agent and its model said to each other, out of its calls: each answer is a turn, and what the next prompt adds
 * is what came of it. An agent may lead several conversations at once, such as those of its own helpers; the longest is
 * its work.
 */
export class Transcript {
  readonly #threads: Thread[] = [];

  add({ model, startedAtMs, wallMs, usage, costUsd }: GatewayCall, prompt: Prompt, answer: Answer): void {
    const thread = this.#threadOf(model, prompt);
    const checkpoint = this.#takePrompt(thread, prompt, startedAtMs);
    const calls = prompt.messages.flatMap(({ toolCalls = [] }) => toolCalls).length;
    const toolCalls = answer.calls.map((call, i) => ({ ...call, id: call.id || `call-${calls + i + 1}` }));
    const turn = thread.turns.length + 1;
    const text = answer.text("text");
    thread.turns.push({
      turn,
      thought: [answer.text("thought"), text].filter((part) => part !== "").join("\n\n"),
      action: toolCalls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`).join("\n"),
      observation: "",
      usage,
      costUsd,
      modelMs: wallMs,
      toolMs: null,
      promptTokens: usage && usage.input + usage.cached,
      ...(checkpoint !== undefined && { checkpoint }),
    });
    thread.messages.push({
      ...{ role: "assistant", text, kind: "action", turn },
      ...(toolCalls.length > 0 && { toolCalls: toolCalls as ToolCall[] }),
    });
    thread.open = new Set(toolCalls.map(({ id }) => id));
    thread.sent = prompt.messages.length;
    thread.endedAtMs = startedAtMs + wallMs;
  }

  /** The conversation in which the agent did its work. */
  get main(): { turns: readonly TranscriptTurn[]; messages: readonly Message[] } {
    const longest = this.#threads.reduce<Thread | undefined>(
      (most, one) => (one.turns.length > (most?.turns.length ?? 0) ? one : most),
      undefined,
    );
    return { turns: longest?.turns ?? [], messages: longest?.messages ?? [] };
  }

  /** The one whose calls the prompt answers; else one with the same model and tools, which began anew. */
  #threadOf(model: string | null, { messages, tools }: Prompt): Thread {
    const answered = new Set(messages.flatMap(({ toolCallId }) => toolCallId ?? []));
    const named = tools.join();
    const found =
      this.#threads.findLast(({ open }) => [...open].some((id) => answered.has(id))) ??
      this.#threads.findLast((thread) => thread.model === model && thread.tools === named);
    if (found) return found;
    const thread: Thread = {
      ...{ model, tools: named, turns: [], messages: [] },
      ...{ open: new Set<string>(), sent: 0, endedAtMs: 0 },
    };
    this.#threads.push(thread);
    return thread;
  }

  /** Notes what a prompt adds; gives what it has in place of the conversation so far, where it cuts that short. */
  #takePrompt(thread: Thread, { messages }: Prompt, atMs: number): string | undefined {
    const last = thread.turns.at(-1);
    if (last === undefined) {
      for (const said of messages) thread.messages.push(openingOf(said));
      return undefined;
    }
    last.toolMs = Math.max(0, atMs - thread.endedAtMs);
    const isCut = messages.length < thread.sent;
    // What stands behind the model's last answer is new.
    const answeredAt = messages.findLastIndex(({ role }) => role === "assistant");
    const added = messages.slice(isCut ? 0 : Math.max(answeredAt + 1, 0));
    const news = isCut
      ? added.filter(({ role, toolCallId }) => role === "user" || thread.open.has(toolCallId ?? ""))
      : added.filter(({ role }) => role !== "system");
    const { turn } = last;
    for (const { role, text, toolCallId } of news) {
      if (role === "tool")
        thread.messages.push({ role, text, toolCallId: toolCallId!, kind: "observation", turn });
      else thread.messages.push({ role: "user", text, kind: isCut ? "checkpoint" : "notice", turn });
    }
    const seen = isCut ? news.filter(({ role }) => role === "tool") : news;
    last.observation = seen.map(({ text }) => text).join("\n");
    return isCut ? news.flatMap(({ role, text }) => (role === "user" ? text : [])).join("\n\n") : undefined;
  }
}

function openingOf({ role, text, toolCalls, toolCallId }: Said): Message {
  if (role === "system") return { role, text, kind: "system", turn: 0 };
  if (role === "user") return { role, text, kind: "task", turn: 0 };
  return {
    ...{ role, text, kind: "demo", turn: 0 },
    ...(toolCalls && { toolCalls }),
    ...(toolCallId !== undefined && { toolCallId }),
  };
}
