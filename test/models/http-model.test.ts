import { afterEach, describe, expect, test } from "vitest";
import { createModel, type ModelOptions } from "../../src/models/create-model.ts";
import { Budget } from "../../src/models/gate/budget.ts";
import { LocalGate } from "../../src/models/gate/local-gate.ts";
import { ModelError } from "../../src/models/model.ts";
import { type Fault, type ScriptedServer, serveScripted } from "../../src/models/serve-scripted.ts";
import { VirtualClock } from "../support/virtual-clock.ts";
import { aRequest } from "./a-request.ts";
import { isMended, play } from "./scripted/tiny-shop.ts";

const KEY = "sk-very-secret-0123456789";
const ENV = { OPENAI_COMPATIBLE_API_KEY: KEY };
const PRICES = { "openai-compatible:coder": { input: 0.5, cached: 0.25, output: 2 } };
let server: ScriptedServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** A model over HTTP whose first calls go wrong like this, on a clock that jumps. */
async function modelWith(faults: (Fault | undefined)[], options: ModelOptions = {}) {
  server = await serveScripted({ fault: (call) => faults[call - 1] });
  const clock = new VirtualClock();
  const gate = new LocalGate(clock, new Budget(1));
  const model = await createModel("openai-compatible:coder", {
    env: ENV,
    baseUrl: server.baseUrl,
    prices: PRICES,
    clock,
    gate,
    ...options,
  });
  return { model, clock, gate, server };
}

describe("over HTTP", () => {
  test("the scripted model works as it does in process: same turns, tokens and cost", async () => {
    const { model } = await modelWith([]);
    const remote = await play(model, { seed: 3 });
    const local = await play(await createModel("scripted", { env: {} }), { seed: 3 });
    expect(isMended(remote.files)).toBe(true);
    const plain = ({ answers }: typeof local) =>
      answers.map(({ message: { text, toolCalls }, usage, costUsd, finish }) => ({
        text,
        toolCalls,
        usage,
        costUsd,
        finish,
      }));
    expect(plain(remote)).toEqual(plain(local));
  });

  test("the key goes to the server and the seed with it", async () => {
    const { model, server } = await modelWith([]);
    await model.complete(aRequest({ seed: 42, temperature: 0 }));
    expect(server.requests[0]!.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(server.requests[0]!.body).toMatchObject({ seed: 42, temperature: 0, model: "coder" });
  });

  test.each<[string, Fault]>([
    ["500", { kind: "error", status: 500 }],
    ["a cut answer", { kind: "cut" }],
    ["garbage", { kind: "garbage" }],
    ["an empty body", { kind: "error", status: 200, body: "" }],
    ["JSON that is no answer", { kind: "error", status: 200, body: '{"hello": 1}' }],
  ])("after %s the call is tried again", async (_, fault) => {
    const { model, server } = await modelWith([fault, fault]);
    const answer = await model.complete(aRequest());
    expect(answer.tries).toBe(3);
    expect(answer.message.toolCalls).toHaveLength(1);
    expect(server.requests).toHaveLength(3);
  });

  test("waits double, with chance in the upper half of each", async () => {
    const { model, clock } = await modelWith([
      { kind: "error", status: 500 },
      { kind: "error", status: 500 },
      { kind: "error", status: 500 },
    ]);
    await model.complete(aRequest());
    // 1 + 2 + 4 seconds at most, half of that at least.
    expect(clock.now()).toBeGreaterThanOrEqual(3500);
    expect(clock.now()).toBeLessThanOrEqual(7000);
  });

  test("Retry-After in seconds is waited for in full", async () => {
    const { model, clock } = await modelWith([{ kind: "rate-limit", retryAfter: "60" }]);
    await model.complete(aRequest());
    expect(clock.now()).toBeGreaterThanOrEqual(60_000);
    expect(clock.now()).toBeLessThanOrEqual(66_000);
  });

  test("Retry-After as a date is waited for in full", async () => {
    // The virtual clock begins in 1970.
    const { model, clock } = await modelWith([
      { kind: "rate-limit", retryAfter: "Thu, 01 Jan 1970 00:01:30 GMT" },
    ]);
    await model.complete(aRequest());
    expect(clock.now()).toBeGreaterThanOrEqual(90_000);
    expect(clock.now()).toBeLessThanOrEqual(99_000);
  });

  test("who asks for more patience than there is gets no second call", async () => {
    const { model, server } = await modelWith([{ kind: "rate-limit", retryAfter: "86400" }]);
    await expect(model.complete(aRequest())).rejects.toMatchObject({ kind: "rate-limit" });
    expect(server.requests).toHaveLength(1);
  });

  test("tries are bounded, and the error says how many there were", async () => {
    const { model, server } = await modelWith(Array<Fault>(20).fill({ kind: "error", status: 503 }));
    await expect(model.complete(aRequest())).rejects.toThrow(/HTTP 503.*after 6 tries/);
    expect(server.requests).toHaveLength(6);
  });

  test.each<[number, string, ModelError["kind"]]>([
    [401, '{"error": {"message": "bad key"}}', "auth"],
    [400, '{"error": {"message": "maximum context length is 10 tokens"}}', "context"],
    [422, '{"error": {"message": "no"}}', "refused"],
  ])("HTTP %i is not tried again", async (status, body, kind) => {
    const { model, server } = await modelWith([{ kind: "error", status, body }]);
    await expect(model.complete(aRequest())).rejects.toMatchObject({ kind });
    expect(server.requests).toHaveLength(1);
  });

  test("a server that echoes the key does not get it into the error", async () => {
    const body = JSON.stringify({ error: { message: `Incorrect API key provided: ${KEY}` } });
    const { model } = await modelWith([{ kind: "error", status: 401, body }]);
    const error = await model.complete(aRequest()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelError);
    expect((error as Error).message).toContain("[secret OPENAI_COMPATIBLE_API_KEY]");
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(KEY);
    expect((error as Error).cause).toBeUndefined();
  });

  test("an answer that takes too long is given up and tried again", async () => {
    const { model } = await modelWith([{ kind: "slow", ms: 5000 }], { timeoutMs: 500 });
    // On a machine that stands still, the next one may take as long.
    expect((await model.complete(aRequest())).tries).toBeGreaterThan(1);
  });

  test("what can't be known to be free counts at its worst against the budget, and is no known cost", async () => {
    const { model, gate } = await modelWith([{ kind: "cut" }]);
    const answer = await model.complete(aRequest({ maxOutputTokens: 1000 }));
    // At least the thousand tokens that it could have written, at $2 a million.
    expect(gate.budget.spentUsd - answer.costUsd!).toBeGreaterThanOrEqual(0.002);
    expect(gate.budget.inFlightUsd).toBe(0);
  });

  test("an error that is free costs nothing", async () => {
    const { model, gate } = await modelWith([{ kind: "rate-limit" }, { kind: "error", status: 500 }]);
    const answer = await model.complete(aRequest());
    expect(gate.budget.spentUsd).toBeCloseTo(answer.costUsd!, 12);
  });

  test("a server that counts no tokens gets them counted, and the answer says so", async () => {
    const { model } = await modelWith([{ kind: "no-usage" }, undefined]);
    const counted = await model.complete(aRequest());
    const told = await model.complete(aRequest());
    expect(counted.isEstimated).toBe(true);
    expect(told.isEstimated).toBeUndefined();
    expect(counted.usage.input + counted.usage.cached).toBe(told.usage.input + told.usage.cached);
    expect(counted.usage.output).toBe(told.usage.output);
  });

  test("without a price the cost is unknown, not 0", async () => {
    const clock = new VirtualClock();
    const { model } = await modelWith([], { prices: {}, gate: new LocalGate(clock) });
    expect((await model.complete(aRequest())).costUsd).toBeNull();
  });

  test("no server at all is a network error", async () => {
    const { model, server } = await modelWith([]);
    await server.close();
    await expect(model.complete(aRequest())).rejects.toMatchObject({ kind: "network" });
  });

  test("an abort ends a call at once with its own reason", async () => {
    const { model } = await modelWith([{ kind: "slow", ms: 5000 }]);
    const controller = new AbortController();
    const call = model.complete(aRequest({ signal: controller.signal }));
    setImmediate(() => controller.abort(new Error("past its time")));
    await expect(call).rejects.toThrow("past its time");
  });
});
