import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { calcPrice } from "@pydantic/genai-prices";
import { expect, test } from "vitest";
import { parseModelSpec } from "../../src/models/model-spec.ts";
import { findPrice, priceCall, priceListed } from "../../src/models/prices/price.ts";
import { readPriceFile } from "../../src/models/prices/price-file.ts";
import { TempFolder } from "../support/temp-folder.ts";

const AT = { prices: {}, atMs: Date.UTC(2025, 5, 1, 12) };
const USAGE = { input: 1_000_000, cached: 2_000_000, output: 500_000, reasoning: 400_000 };

test("gpt-4o-mini costs what OpenAI's price list says, cached tokens apart", async () => {
  // Published: $0.15 for a million tokens of input, $0.075 where they are cached, $0.60 of output.
  const usd = await priceCall(parseModelSpec("gpt-4o-mini"), USAGE, AT);
  expect(usd).toBeCloseTo(0.15 + 2 * 0.075 + 0.3, 9);
});

test("DeepSeek's price depends on the hour of the call, as it did in 2025", async () => {
  const spec = parseModelSpec("deepseek-chat");
  const at = (hour: number) => priceCall(spec, USAGE, { prices: {}, atMs: Date.UTC(2025, 5, 1, hour) });
  // Half price from 16:30 to 00:30 UTC.
  expect(await at(20)).toBeLessThan((await at(12))!);
});

test("an unknown price is null, also for a model's name that another provider lists", async () => {
  expect(await priceCall(parseModelSpec("openai-compatible:gpt-4o-mini"), USAGE, AT)).toBeNull();
  expect(await priceCall(parseModelSpec("openai:no-such-model"), USAGE, AT)).toBeNull();
  expect(await findPrice(parseModelSpec("openai:no-such-model"), AT)).toBeNull();
});

test.each([
  ["openai", "gpt-4o-mini"],
  ["openai", "gpt-5-mini"],
  ["anthropic", "claude-sonnet-4-0"],
  ["anthropic", "claude-haiku-4-5"],
  // Dearer for long prompts, so no price fits all lengths.
  ["google", "gemini-2.5-pro"],
])("every call of %s %s costs what the table says, not only the first", async (providerId, model) => {
  const timestamp = new Date(AT.atMs);
  for (const [input, cached, written, output] of [
    [1000, 400, 300, 50],
    [900_000, 0, 0, 64_000],
    [0, 7, 0, 0],
  ] as const) {
    const usage = { input, cached, cacheWritten: written, output, reasoning: 0 };
    const tokens = { input_tokens: input + cached, cache_read_tokens: cached, output_tokens: output };
    const listed = calcPrice({ ...tokens, cache_write_tokens: written }, model, { providerId, timestamp });
    const usd = await priceListed({ vendor: providerId, model, prices: {} }, usage, AT.atMs);
    expect(usd).toBeCloseTo(listed!.total_price, 12);
  }
});

test("the user's price goes before the table's", async () => {
  const prices = { "gpt-4o-mini": { input: 10, cached: 1, output: 20 } };
  expect(await priceCall(parseModelSpec("gpt-4o-mini"), USAGE, { ...AT, prices })).toBe(10 + 2 + 10);
});

test("the scripted model has a price of its own, so that its costs compare", async () => {
  const usd = await priceCall(parseModelSpec("scripted"), USAGE, AT);
  expect(usd).toBeCloseTo(0.5 + 2 * 0.25 + 0.5 * 2, 12);
});

test("a price file is YAML or JSON; without a cached price cached tokens cost what others do", async () => {
  using folder = new TempFolder();
  const path = join(folder.path, "prices.yaml");
  writeFileSync(path, '"openai-compatible:mine": {input: 2, output: 4}\n');
  expect(await readPriceFile(path)).toEqual({ "openai-compatible:mine": { input: 2, cached: 2, output: 4 } });
  writeFileSync(path, '{"m": {"input": "two", "output": 4}}');
  await expect(readPriceFile(path)).rejects.toThrow(/prices\.yaml m\.input: .*USD per million/);
  writeFileSync(path, "a: [");
  await expect(readPriceFile(path)).rejects.toThrow(/can't be read/);
});
