import type { Message } from "../../core/message.ts";

/**
 * Turns as text for another model to read. What was said or printed is indented, so that a heading at the beginning of
 * a line is always ours: no output of a tool can pass for a turn of the agent's.
 */
export function turnText(message: Message): string {
  if (message.kind !== "action") return `Observation:\n${indented(message.text)}`;
  const calls = (message.toolCalls ?? []).map(({ name, input }) => `${name} ${JSON.stringify(input)}`);
  const actions = indented(calls.join("\n") || "none");
  return `Turn ${message.turn}\nThought:\n${indented(message.text)}\nAction:\n${actions}`;
}

/** Every line two spaces in, whatever ends it. */
export function indented(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}
