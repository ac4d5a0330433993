import { expect, test } from "vitest";
import { countPrompt, loadTokenizer } from "../../src/models/tokens.ts";

test("counts as GPT-4o's tokenizer does", async () => {
  const count = await loadTokenizer();
  expect(count("")).toBe(0);
  // Of OpenAI's cookbook: six tokens in o200k_base.
  expect(count("tiktoken is great!")).toBe(6);
});

test("words that look like the tokenizer's own marks are text", async () => {
  const count = await loadTokenizer();
  expect(count("<|endoftext|>")).toBeGreaterThan(1);
});

test("half a megabyte without a space is counted, in parts", async () => {
  const count = await loadTokenizer();
  const word = "x7Kq".repeat(128 * 1024);
  expect(count(word)).toBeGreaterThan(word.length / 8);
  expect(count(word)).toBeLessThanOrEqual(word.length);
});

test("a prompt is its messages, their calls and the tools", async () => {
  const count = await loadTokenizer();
  const message = { role: "user" as const, text: "tiktoken is great!", kind: "task" as const, turn: 0 };
  const one = countPrompt(count, [message]);
  const two = countPrompt(count, [message, message]);
  const tool = { name: "bash", description: "runs", input: { type: "object" } };
  expect(two - one).toBe(6 + 4);
  expect(countPrompt(count, [message], [tool])).toBeGreaterThan(one);
});
