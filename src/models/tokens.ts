import type { Message } from "../core/message.ts";
import type { ToolSpec } from "./model.ts";

export type CountText = (text: string) => number;

/** The tokenizer's time grows with the square of a word's length, so texts with endless words are counted in parts. */
const ENDLESS_WORD = /\S{1025}|\s{1025}/;
const PART_CHARS = 1024;
const MOST_REMEMBERED = 20_000;
/** What a chat format adds to each message, and to a prompt. */
const PER_MESSAGE = 4;
const PER_PROMPT = 3;

let loading: Promise<CountText> | undefined;

/** A real tokenizer (o200k, that of GPT-4o): exact there, near for other models. What a prompt repeats is counted once. */
export function loadTokenizer(): Promise<CountText> {
  loading ??= import("gpt-tokenizer/encoding/o200k_base").then(({ countTokens }) => {
    const remembered = new Map<string, number>();
    const plain = { disallowedSpecial: new Set<string>() };
    const count = (text: string): number => {
      if (!ENDLESS_WORD.test(text)) return countTokens(text, plain);
      let tokens = 0;
      for (let at = 0; at < text.length; at += PART_CHARS)
        tokens += countTokens(text.slice(at, at + PART_CHARS), plain);
      return tokens;
    };
    return (text) => {
      const known = remembered.get(text);
      if (known !== undefined) return known;
      if (remembered.size >= MOST_REMEMBERED) remembered.clear();
      const tokens = count(text);
      remembered.set(text, tokens);
      return tokens;
    };
  });
  return loading;
}

export function countPrompt(
  count: CountText,
  messages: readonly Message[],
  tools: readonly ToolSpec[] = [],
): number {
  let tokens = PER_PROMPT;
  for (const message of messages) tokens += PER_MESSAGE + countMessage(count, message);
  for (const { name, description, input } of tools)
    tokens += count(`${name} ${description} ${JSON.stringify(input)}`);
  return tokens;
}

/** Text and tool calls, without what the format adds. */
export function countMessage(count: CountText, { text, toolCalls = [] }: Message): number {
  let tokens = count(text);
  for (const { name, input } of toolCalls) tokens += count(`${name} ${JSON.stringify(input)}`);
  return tokens;
}
