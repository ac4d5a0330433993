import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { blame } from "../../src/gateway/blame.ts";
import type { GatewayCall } from "../../src/gateway/call.ts";
import { type Gateway, openGateway } from "../../src/gateway/gateway.ts";
import { systemClock } from "../../src/host/clock.ts";
import type { Gate, GateCall } from "../../src/models/gate/gate.ts";
import { LocalGate } from "../../src/models/gate/local-gate.ts";
import { ModelError } from "../../src/models/model.ts";
import { aProvider, type Provider, type ProviderFault } from "../support/a-provider.ts";

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

const KEYS = { OPENAI_API_KEY: "sk-real", ANTHROPIC_API_KEY: "sk-ant-real", GEMINI_API_KEY: "g-real" };
const OPEN: Gate = { admit: async () => ({ settle: () => {} }) };

async function aGateway(
  fault?: (call: number) => ProviderFault | undefined,
  gate: Gate = OPEN,
): Promise<{ gateway: Gateway; provider: Provider }> {
  const provider = await aProvider("true", fault);
  const gateway = await openGateway({
    env: {
      ...KEYS,
      OPENAI_BASE_URL: `${provider.url}/v1`,
      ANTHROPIC_BASE_URL: provider.url,
      GOOGLE_GEMINI_BASE_URL: provider.url,
    },
    gate,
    signal: new AbortController().signal,
  });
  opened.push(gateway.close, () => provider[Symbol.asyncDispose]());
  return { gateway, provider };
}

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer kept-by-assay", ...headers },
    body: JSON.stringify(body),
  });

/** Each protocol with a model that the price table knows, and the header in which its key goes. */
const PROTOCOLS = {
  "openai-chat": {
    path: "/v1/chat/completions",
    model: "gpt-4o-mini",
    key: "authorization",
    sent: "Bearer sk-real",
  },
  "openai-responses": {
    path: "/v1/responses",
    model: "gpt-4o-mini",
    key: "authorization",
    sent: "Bearer sk-real",
  },
  "anthropic-messages": {
    path: "/v1/messages?beta=true",
    model: "claude-sonnet-4-0",
    key: "x-api-key",
    sent: "sk-ant-real",
  },
  gemini: {
    path: "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
    model: "gemini-2.5-flash",
    key: "x-goog-api-key",
    sent: "g-real",
  },
};

describe.each(Object.entries(PROTOCOLS))("%s through the gateway", (name, { path, model, key, sent }) => {
  test.each([true, false])("is passed on unchanged and metered (streamed: %s)", async (stream) => {
    const { gateway, provider } = await aGateway();
    const body = { model, stream, messages: [] };
    const [through, direct] = [
      await (await post(gateway.url + path, body)).text(),
      await (await post(provider.url + path, body)).text(),
    ];
    expect(through).toBe(direct);
    expect(provider.requests[0]!.body).toEqual(body);
    await gateway.close();
    expect(gateway.calls).toHaveLength(1);
    const [call] = gateway.calls as [GatewayCall];
    expect(call).toMatchObject({ protocol: name, model, status: 200 });
    expect(call.usage).toMatchObject({ input: 600, cached: 400, output: 50 });
    expect(call.costUsd).toBeGreaterThan(0);
    expect(call.firstTokenMs).toBeGreaterThan(0);
    expect(call.firstTokenMs).toBeLessThanOrEqual(call.wallMs);
    expect(call.isRetry).toBeUndefined();
    expect(call.failure).toBeUndefined();
  });

  test("carries our key, and never the agent's stand-in", async () => {
    const { gateway, provider } = await aGateway();
    await post(gateway.url + path, { model, stream: true }, { "x-api-key": "kept-by-assay" });
    const [{ headers }] = provider.requests as [Provider["requests"][number]];
    expect(headers[key]).toBe(sent);
    expect(JSON.stringify(headers)).not.toContain("kept-by-assay");
  });

  test.each([
    [401, "auth"],
    [402, "credit"],
    [404, "missing"],
    [429, "rate-limit"],
    [500, "server"],
    [529, "server"],
    ["cut", "network"],
    ["garbage", "server"],
    ["hang-up", "network"],
  ] as const)("tells the fault %s by its kind", async (fault, kind) => {
    const { gateway } = await aGateway(() => fault);
    await post(gateway.url + path, { model, stream: true })
      .then((response) => response.text())
      .catch(() => {});
    await gateway.close();
    expect(gateway.calls.map(({ failure }) => failure?.kind)).toEqual([kind]);
  });

  test("is refused in its own words where the money is spent, and nothing is sent", async () => {
    const { gateway, provider } = await aGateway(undefined, {
      async admit({ worstUsd }: GateCall) {
        expect(worstUsd).toBeGreaterThan(0);
        throw new ModelError("budget", "the study's budget of $1 has no room for another call");
      },
    });
    const response = await post(gateway.url + path, { model });
    expect(response.status).toBe(path === "/v1/responses" ? 400 : 402);
    expect(JSON.stringify(await response.json())).toContain("has no room for another call");
    await gateway.close();
    expect(gateway.calls[0]!.failure?.kind).toBe("budget");
    expect(provider.requests).toEqual([]);
  });
});

describe("the gateway", () => {
  test("answers what agents try before they call", async () => {
    const { gateway } = await aGateway();
    expect((await fetch(gateway.url, { method: "HEAD" })).status).toBe(200);
    expect((await fetch(`${gateway.url}/v1/responses`)).status).toBe(426);
    expect((await fetch(`${gateway.url}/elsewhere`, { method: "POST", body: "{}" })).status).toBe(404);
    expect(gateway.calls).toEqual([]);
  });

  test.each([
    ["/v1/messages/count_tokens?beta=true", "x-api-key", "sk-ant-real"],
    ["/v1beta/models/gemini-2.5-flash:countTokens", "x-goog-api-key", "g-real"],
  ])("passes %s on with our key, and counts it as no call", async (path, header, key) => {
    const { gateway, provider } = await aGateway();
    await post(gateway.url + path, { model: "claude-sonnet-4-0", messages: [] });
    expect(provider.requests).toMatchObject([{ line: `POST ${path}`, headers: { [header]: key } }]);
    expect(gateway.calls).toEqual([]);
  });

  test("lets the agent's own key through where we have none", async () => {
    const provider = await aProvider("true");
    const gateway = await openGateway({
      env: { ANTHROPIC_BASE_URL: provider.url },
      gate: OPEN,
      signal: new AbortController().signal,
    });
    opened.push(gateway.close, () => provider[Symbol.asyncDispose]());
    await post(`${gateway.url}/v1/messages`, { model: "m" }, { authorization: "Bearer oauth" });
    expect(provider.requests[0]!.headers.authorization).toBe("Bearer oauth");
  });

  test("says so where the provider can't be reached", async () => {
    const gateway = await openGateway({
      env: { OPENAI_BASE_URL: "http://127.0.0.1:9", OPENAI_API_KEY: "k" },
      gate: OPEN,
      signal: new AbortController().signal,
    });
    opened.push(gateway.close);
    const response = await post(`${gateway.url}/v1/responses`, { model: "m" });
    expect(response.status).toBe(502);
    await gateway.close();
    expect(gateway.calls[0]).toMatchObject({ status: 0, failure: { kind: "network" } });
  });
});

test("who hangs up while a call waits for its turn has met a limit, and asks nobody", async () => {
  let isAdmitting = () => {};
  const admitting = new Promise<void>((resolve) => {
    isAdmitting = resolve;
  });
  const full: Gate = {
    admit: ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        isAdmitting();
      }),
  };
  const { gateway, provider } = await aGateway(undefined, full);
  const leave = new AbortController();
  const sent = { method: "POST", body: '{"model":"gpt-4o-mini"}', signal: leave.signal };
  const asking = fetch(`${gateway.url}/v1/chat/completions`, sent);
  await admitting;
  leave.abort();
  await expect(asking).rejects.toThrow();
  await gateway.close();
  expect(gateway.calls).toMatchObject([{ status: 0, failure: { kind: "rate-limit" } }]);
  expect(blame(gateway.calls, "timeout")).toMatchObject({ owner: "infrastructure" });
  expect(provider.requests).toEqual([]);
});

test("many calls that wait for their turn are no leak", async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error) => warnings.push(name);
  process.on("warning", onWarning);
  const provider = await aProvider("true");
  const gateway = await openGateway({
    env: { OPENAI_BASE_URL: provider.url, OPENAI_API_KEY: "k" },
    gate: new LocalGate(systemClock),
    signal: new AbortController().signal,
  });
  opened.push(gateway.close, () => provider[Symbol.asyncDispose]());
  const ask = () => post(`${gateway.url}/v1/responses`, { model: "gpt-4o-mini" });
  await Promise.all(Array.from({ length: 40 }, ask));
  process.off("warning", onWarning);
  expect(warnings).toEqual([]);
  await gateway.close();
  expect(gateway.calls).toHaveLength(40);
});

test("two hundred streams are under way at once before one of them is whole", async () => {
  const held: ServerResponse[] = [];
  const provider = createServer((incoming, outgoing) => {
    incoming.resume();
    outgoing.writeHead(200, { "content-type": "text/event-stream" }).write("data: {}\n\n");
    if (held.push(outgoing) === 200) for (const one of held) one.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  const { port } = provider.address() as AddressInfo;
  const gateway = await openGateway({
    env: { ...KEYS, OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` },
    gate: new LocalGate(systemClock),
    signal: new AbortController().signal,
  });
  opened.push(gateway.close, () => new Promise((resolve) => provider.close(resolve)));
  const { path, model } = PROTOCOLS["openai-chat"];
  const calls = Array.from({ length: 200 }, () => post(gateway.url + path, { model, stream: true }));
  const texts = await Promise.all(calls.map(async (call) => (await call).text()));
  expect(texts.filter((text) => text.includes("[DONE]"))).toHaveLength(200);
});
