import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRedactor } from "../../src/core/redact.ts";
import { cacheIn } from "../../src/gateway/cache.ts";
import { forward } from "../../src/gateway/forward.ts";
import { openGateway } from "../../src/gateway/gateway.ts";
import type { CallReport, Gate } from "../../src/models/gate/gate.ts";
import { aProvider, type ProviderFault } from "../support/a-provider.ts";
import { TempFolder } from "../support/temp-folder.ts";

const KEY = "sk-real-0123456789";

async function aCache(dir: string, fault?: (call: number) => ProviderFault | undefined) {
  const provider = await aProvider("true", fault);
  const settled: CallReport[] = [];
  const gate: Gate = { admit: async () => ({ settle: (report) => settled.push(report) }) };
  const redactor = createRedactor({ OPENAI_API_KEY: KEY });
  const gateway = await openGateway({
    env: { OPENAI_BASE_URL: provider.url, OPENAI_API_KEY: KEY },
    gate,
    send: cacheIn({ dir, sample: 0, redactor }, forward),
    signal: new AbortController().signal,
  });
  const ask = async (body: object, headers: Record<string, string> = {}, path = "/v1/chat/completions") => {
    const sent = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(gateway.url + path, sent);
    return `${response.status} ${await response.text()}`;
  };
  return {
    ...{ gateway, provider, settled, ask },
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await provider[Symbol.asyncDispose]();
    },
  };
}

const REQUEST = { model: "gpt-4o-mini", stream: true, messages: [{ role: "user", content: "Hello" }] };

test("the same request is answered from the cache, byte for byte and for nothing", async () => {
  using folder = new TempFolder();
  await using cache = await aCache(folder.path);
  const [first, second] = [await cache.ask(REQUEST), await cache.ask(REQUEST)];
  expect(second).toBe(first);
  expect(cache.provider.requests).toHaveLength(1);
  await cache.gateway.close();
  expect(cache.gateway.calls).toMatchObject([{ usage: { input: 600 } }, { isCached: true, costUsd: 0 }]);
  expect(cache.settled).toHaveLength(1);
  const [file] = filesIn(folder.path);
  expect(readFileSync(file!, "utf8")).not.toContain(KEY);
});

test("another sample, model or message is another request", async () => {
  using folder = new TempFolder();
  await using cache = await aCache(folder.path);
  await cache.ask(REQUEST);
  await cache.ask(REQUEST, { "x-assay-sample": "1" });
  await cache.ask({ ...REQUEST, model: "gpt-4o" });
  await cache.ask({ ...REQUEST, messages: [] });
  await cache.ask(REQUEST, { "x-assay-sample": "1" });
  expect(cache.provider.requests).toHaveLength(4);
});

const uuid = (digit: number) => `01a1f043-feb7-74f2-bd37-55e43c01df${String(digit).padStart(2, "0")}`;

/** As agents ask who have just been started, for the `start`th time. */
const ofCodex = (start: number, output = "hi") => ({
  ...{ model: "gpt-5-mini", prompt_cache_key: uuid(start), client_metadata: { session_id: uuid(start) } },
  input: [
    { type: "message", id: `msg_${uuid(start)}`, role: "user", content: "Read it." },
    {
      ...{ type: "function_call_output", id: `fco_${uuid(start)}`, call_id: "call_1" },
      internal_chat_message_metadata_passthrough: { turn_id: uuid(start), create_time: 1795032350 + start },
      output: `Chunk ID: 23d94${start}\nWall time: 0.00${start}0 seconds\nOutput:\n${output}`,
    },
  ],
});
const ofClaude = (start: number) => ({
  ...{ model: "claude-sonnet-4-0", max_tokens: 100, metadata: { user_id: uuid(start) } },
  messages: [{ role: "user", content: "Read it." }],
});

test("an agent that is started anew asks the same, whatever its session is called", async () => {
  using folder = new TempFolder();
  await using cache = await aCache(folder.path);
  for (const start of [1, 2, 3]) {
    await cache.ask(ofCodex(start), {}, "/v1/responses");
    await cache.ask(ofClaude(start));
  }
  expect(cache.provider.requests).toHaveLength(2);
});

test("but a word that it was told is part of the question, whatever stands beside it", async () => {
  using folder = new TempFolder();
  await using cache = await aCache(folder.path);
  const asked = [
    ofCodex(1),
    ofCodex(1, "ho"),
    ofCodex(1, `Chunk ID: 23d941\nWall time: 1.0 seconds\n`),
    ofCodex(1, `Chunk ID: 23d942\nWall time: 1.0 seconds\n`),
    ...[1, 2].map((start) => ({
      ...ofCodex(1),
      input: [{ type: "item_reference", id: `msg_${uuid(start)}` }],
    })),
  ];
  for (const body of asked) await cache.ask(body, {}, "/v1/responses");
  // Tools may have arguments of these names.
  for (const user of ["ann", "bob"])
    await cache.ask({ ...REQUEST, messages: [{ role: "user", content: [{ metadata: 1, user }] }] });
  expect(cache.provider.requests).toHaveLength(asked.length + 2);
});

test("what went wrong is asked again, and so is what a damaged file had", async () => {
  using folder = new TempFolder();
  await using cache = await aCache(folder.path, (call) => ([500, "cut"] as const)[call - 1]);
  expect(await cache.ask(REQUEST)).toMatch(/^500 /);
  await cache.ask(REQUEST).catch(() => {});
  expect(filesIn(folder.path)).toEqual([]);
  expect(await cache.ask(REQUEST)).toMatch(/^200 /);
  const [file] = filesIn(folder.path);
  writeFileSync(file!, "{");
  expect(await cache.ask(REQUEST)).toMatch(/^200 /);
  expect(cache.provider.requests).toHaveLength(4);
});

function filesIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(dir, name));
}
