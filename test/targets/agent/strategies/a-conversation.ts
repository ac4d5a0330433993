import type { Message } from "../../../../src/core/message.ts";

/** A conversation of so many turns; the observation of turn t has t lines. */
export function aConversation(turns: number): Message[] {
  const messages: Message[] = [
    { role: "system", text: "You mend code.", kind: "system", turn: 0 },
    { role: "user", text: "The task.\nTwo lines.", kind: "task", turn: 0 },
  ];
  for (let turn = 1; turn <= turns; turn++) {
    messages.push({
      role: "assistant",
      text: `thought ${turn}`,
      toolCalls: [{ id: `c${turn}`, name: "bash", input: { command: `echo ${turn}` } }],
      kind: "action",
      turn,
    });
    const text = Array.from({ length: turn }, (_, i) => `line ${i + 1} of ${turn}`).join("\n");
    messages.push({ role: "tool", text, toolCallId: `c${turn}`, kind: "observation", turn });
  }
  return messages;
}
