import type { Message } from "../../core/message.ts";
import { valueAt } from "../../core/nest-params.ts";
import type { Usage } from "../../core/trajectory.ts";

export type Json = Record<string, unknown>;

/** How agents and providers talk: what is a call, what its answer says of tokens, and how a call is refused. */
export interface Protocol {
  name: string;
  /** Whose models they are, as the price table knows it. */
  vendor: "openai" | "anthropic" | "google";
  /** The path of a call that asks a model for an answer. */
  calls: RegExp;
  /** Paths that belong to it without being such calls: lists of models, counts of tokens. */
  asks: RegExp;
  modelOf(path: string, body: Json): string | null;
  /** The most tokens that the answer may have, where the request says so. */
  mostOutput(body: Json): number | undefined;
  /** Tokens after one more event of a stream, or after a whole answer. */
  addUsage(usage: Usage | null, event: Json): Usage | null;
  /** What an event or an answer says went wrong though its status was good. */
  errorIn(event: Json): string | undefined;
  /** The status of a refusal for which no agent tries the call again. */
  refusalStatus: number;
  /** A refusal, as the agent's own library understands it. */
  refusal(text: string): Json;
  /** The conversation that a request sends along. */
  readPrompt(body: Json): Prompt;
  /** Adds to the answer what one more event of a stream, or a whole answer, has of it. */
  addAnswer(answer: Answer, event: Json): void;
}

export interface Prompt {
  messages: Said[];
  /** The names of the tools that the model may use. */
  tools: string[];
}

/** What somebody says in a prompt. */
export type Said = Pick<Message, "role" | "text" | "toolCalls" | "toolCallId">;

/** An answer so far. What comes in pieces is put together under its place in the answer. */
export class Answer {
  readonly #parts = new Map<string, AnswerPart>();

  part(place: string | number, kind: AnswerPart["kind"]): AnswerPart {
    const key = `${kind} ${place}`;
    let part = this.#parts.get(key);
    if (!part) {
      part = { kind, text: "", id: "", name: "" };
      this.#parts.set(key, part);
    }
    return part;
  }

  get isEmpty(): boolean {
    return this.#parts.size === 0;
  }

  text(kind: "text" | "thought"): string {
    return [...this.#parts.values()].flatMap((part) => (part.kind === kind ? part.text : [])).join("");
  }

  get calls(): { id: string; name: string; input: Json }[] {
    return [...this.#parts.values()].flatMap(({ kind, id, name, text }) =>
      kind === "call" ? { id, name, input: inputOf(text) } : [],
    );
  }
}

interface AnswerPart {
  kind: "text" | "thought" | "call";
  /** Of a call: its arguments as JSON. */
  text: string;
  id: string;
  name: string;
}

/** An object out of a body; an empty one where it is none. */
export function parseJson(body: Uint8Array | string): Json {
  try {
    const value: unknown = JSON.parse(typeof body === "string" ? body : Buffer.from(body).toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Json) : {};
  } catch {
    return {};
  }
}

/** Arguments that are no JSON object are kept as they came: some tools take bare text. */
export function inputOf(text: unknown): Json {
  if (typeof text === "object" && text !== null && !Array.isArray(text)) return text as Json;
  if (typeof text !== "string" || text === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Json;
  } catch {
    // Bare text.
  }
  return { input: text };
}

/** A text, or the texts of a list of parts; of other parts their kind alone. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content))
    return content === undefined || content === null ? "" : JSON.stringify(content);
  return content
    .map((part) => {
      const text = typeof part === "string" ? part : valueAt(part, "text");
      return typeof text === "string" ? text : `[${String(valueAt(part, "type") ?? "part")}]`;
    })
    .join("\n");
}

export const listOf = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "object" && item !== null) : [];

export const wordAt = (value: unknown, ...path: [string, ...string[]]): string => {
  const found = valueAt(value, ...path);
  return typeof found === "string" ? found : "";
};

export const modelIn = (_: string, body: Json) => (typeof body.model === "string" ? body.model : null);

export function messageOfError(event: unknown): string | undefined {
  const error = valueAt(event, "error");
  if (error === undefined || error === null) return undefined;
  const [type, message] = [valueAt(error, "type") ?? valueAt(error, "code"), valueAt(error, "message")];
  return [type, message].filter((part) => typeof part === "string").join(": ") || "an error without a text";
}
