import { describe, expect, test } from "vitest";
import { blame } from "../../src/gateway/blame.ts";
import { openGateway } from "../../src/gateway/gateway.ts";
import type { RunLimits } from "../../src/gateway/run-limits.ts";
import type { Gate } from "../../src/models/gate/gate.ts";
import { aProvider } from "../support/a-provider.ts";

const OPEN: Gate = { admit: async () => ({ settle: () => {} }) };

/** Three calls one after the other, each of 1,050 tokens. */
async function threeCalls(limits: RunLimits, { path = "/v1/responses", model = "gpt-4o-mini" } = {}) {
  await using provider = await aProvider("true");
  const gateway = await openGateway({
    env: {
      OPENAI_BASE_URL: provider.url,
      ANTHROPIC_BASE_URL: provider.url,
      GOOGLE_GEMINI_BASE_URL: provider.url,
    },
    gate: OPEN,
    limits,
    prices: { "openai:mine": { input: 1, cached: 1, output: 1 } },
    signal: new AbortController().signal,
  });
  const answers: { status: number; text: string }[] = [];
  for (let i = 0; i < 3; i++) {
    const body = JSON.stringify({ model, max_output_tokens: 100, max_tokens: 100 });
    const response = await fetch(gateway.url + path, { method: "POST", body });
    answers.push({ status: response.status, text: await response.text() });
  }
  await gateway.close();
  return { answers, calls: gateway.calls, asked: provider.requests.length };
}

describe("a run's own limit", () => {
  test.each([
    ["calls", { calls: 2 }, 2, /limit of 2 calls/],
    [
      "tokens: the call that passes it is the last",
      { tokens: 1000 },
      1,
      /limit of 1000 tokens is reached: 1050/,
    ],
    ["dollars", { costUsd: 0.0002 }, 1, /the budget of \$0.0002/],
    ["none", { calls: 0, tokens: 0, costUsd: 0 }, 3, /^$/],
  ])("of %s", async (_, limits, most, reason) => {
    const { answers, calls, asked } = await threeCalls(limits);
    expect(answers.map(({ status }) => status)).toEqual(
      [200, 200, 200].map((status, i) => (i < most ? status : 400)),
    );
    expect(asked).toBe(most);
    expect(calls.findLast(({ failure }) => failure)?.failure?.text ?? "").toMatch(reason);
    // Where the agent stopped for its own limit, what it left is its result.
    expect(blame(calls, "1")).toBeUndefined();
  });

  test.each([
    ["/v1/responses", "gpt-4o-mini", ["error", "message"]],
    ["/v1/chat/completions", "gpt-4o-mini", ["error", "message"]],
    ["/v1/messages", "claude-sonnet-4-0", ["error", "message"]],
    ["/v1beta/models/gemini-2.5-flash:generateContent", "", ["error", "message"]],
  ])("is told in the agent's protocol: %s", async (path, model, at) => {
    const { answers } = await threeCalls({ calls: 1 }, { path, model });
    const told = at.reduce<unknown>(
      (value, key) => (value as Record<string, unknown>)[key],
      JSON.parse(answers[1]!.text),
    );
    expect(told).toBe("the limit of 1 call is reached");
  });

  test("of dollars is never passed by a model whose price nobody knows", async () => {
    const { answers, asked } = await threeCalls({ costUsd: 1 }, { model: "unheard-of" });
    expect([answers[0]!.status, asked]).toEqual([400, 0]);
    expect(answers[0]!.text).toContain("price is unknown");
  });

  test("counts a call that ended before the next begins, however busy the gateway is", async () => {
    const others = Array.from({ length: 20 }, () => threeCalls({}));
    const { answers } = await threeCalls({ tokens: 1000 });
    await Promise.all(others);
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 400]);
  });

  test("goes by the user's own prices", async () => {
    const { calls } = await threeCalls({ costUsd: 1 }, { model: "mine" });
    expect(calls.map(({ costUsd }) => costUsd)).toEqual(calls.map(() => 1050 / 1e6));
  });
});
