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
  const ask = async (body: object, headers: Record<string, string> = {}) => {
    const sent = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`${gateway.url}/v1/chat/completions`, sent);
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
