import { expect, test } from "vitest";
import type { Message } from "../../src/core/message.ts";
import { toSdkMessages } from "../../src/models/sdk-caller.ts";

const user: Message = { role: "user", text: "do it", kind: "task", turn: 0 };
const call = { id: "c1", name: "bash", input: { command: "ls" } };
const action: Message = { role: "assistant", text: "I look", toolCalls: [call], kind: "action", turn: 1 };
const output: Message = { role: "tool", text: "a b", toolCallId: "c1", kind: "observation", turn: 1 };

test("a call and its answer keep their tool and their place", () => {
  expect(toSdkMessages([user, action, output])).toEqual([
    { role: "user", content: "do it" },
    {
      role: "assistant",
      content: [
        { type: "text", text: "I look" },
        { type: "tool-call", toolCallId: "c1", toolName: "bash", input: { command: "ls" } },
      ],
    },
    {
      role: "tool",
      content: [
        { type: "tool-result", toolCallId: "c1", toolName: "bash", output: { type: "text", value: "a b" } },
      ],
    },
  ]);
});

test("an answer whose call was summarised away goes as text, and so does a call without an answer", () => {
  expect(toSdkMessages([user, output])).toEqual([
    { role: "user", content: "do it" },
    { role: "user", content: "a b" },
  ]);
  expect(toSdkMessages([action])).toEqual([
    { role: "assistant", content: [{ type: "text", text: 'I look\n[bash {"command":"ls"}]' }] },
  ]);
});

test("empty messages, which providers refuse, are left out", () => {
  const empty: Message = { role: "assistant", text: "", kind: "action", turn: 1 };
  expect(toSdkMessages([empty, { ...user, text: "" }])).toEqual([]);
});
