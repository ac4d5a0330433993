import type { Usage } from "../../core/trajectory.ts";
import type { ModelSpec } from "../model-spec.ts";
import { findProvider } from "../providers/index.ts";

/** USD per million tokens. Reasoning tokens are a part of the output. */
export interface Price {
  input: number;
  cached: number;
  output: number;
}

/** By a model's name, as `provider:model` or a preset. */
export type PriceTable = Record<string, Price>;

/** Made up, in the proportions of gpt-4o-mini (1 to 0.5 to 4), so that costs of strategies compare. Nobody is billed. */
const SCRIPTED_PRICE: Price = { input: 0.5, cached: 0.25, output: 2 };

interface Call {
  prices: PriceTable;
  /** Prices change over the years, and some over the day. */
  atMs: number;
}

function costUsd(usage: Usage, price: Price): number {
  return (usage.input * price.input + usage.cached * price.cached + usage.output * price.output) / 1e6;
}

/** What a call costs: by the user's file, else by the maintained table (which knows tiers); null where unknown. */
export async function priceCall(spec: ModelSpec, usage: Usage, call: Call): Promise<number | null> {
  const own = ownPrice(spec, call.prices);
  if (own) return costUsd(usage, own);
  const listed = await askTable(spec, usage, call.atMs);
  return listed ? listed.total_price : null;
}

/** What a million tokens of each kind cost in a prompt as small as possible; null where unknown. */
export async function findPrice(spec: ModelSpec, call: Call): Promise<Price | null> {
  const own = ownPrice(spec, call.prices);
  if (own) return own;
  const perToken = async (usage: Partial<Usage>) => {
    const listed = await askTable(spec, { ...NOTHING, ...usage }, call.atMs);
    return listed && listed.total_price * 1e6;
  };
  const [input, cached, output] = await Promise.all([
    perToken({ input: 1 }),
    perToken({ cached: 1 }),
    perToken({ output: 1 }),
  ]);
  return input === null || cached === null || output === null ? null : { input, cached, output };
}

/** Tokens of prompt and answer together; null where nobody knows. */
export async function findContextTokens(spec: ModelSpec): Promise<number | null> {
  return (await askTable(spec, NOTHING, Date.now()))?.model.context_window ?? null;
}

const NOTHING: Usage = { input: 0, cached: 0, output: 0, reasoning: 0 };

function ownPrice(spec: ModelSpec, prices: PriceTable): Price | undefined {
  const own = prices[spec.name] ?? prices[`${spec.provider}:${spec.modelId}`];
  return own ?? (spec.provider === "scripted" ? SCRIPTED_PRICE : undefined);
}

/** A model as an agent of others names it. */
interface ListedModel {
  vendor: string;
  model: string | null;
  prices: PriceTable;
}

/** What a call of a vendor's model costs: by the user's file, else by the maintained table; null where unknown. */
export async function priceListed(
  { vendor, model, prices }: ListedModel,
  usage: Usage,
  atMs: number,
): Promise<number | null> {
  if (model === null) return null;
  const own = prices[`${vendor}:${model}`] ?? prices[model];
  if (own) return costUsd(usage, own);
  const flat = await (flatPrices.get(`${vendor}:${model}`) ?? findFlat(vendor, model, atMs));
  if (flat) return costUsd(usage, flat) + ((usage.cacheWritten ?? 0) * flat.written) / 1e6;
  return (await lookUp(vendor, model, usage, atMs))?.total_price ?? null;
}

/** What comes on top for tokens that are written into a cache is `written`. */
type FlatPrice = Price & { written: number };

/**
 * Prices that are the same at any hour and for a prompt of any length; null for a model whose price is not. A gateway asks
 * twice in each call, and the table takes longer to answer than all else that a gateway does: whoever asks while it is
 * asked gets the same answer.
 */
const flatPrices = new Map<string, Promise<FlatPrice | null>>();

function findFlat(vendor: string, model: string, atMs: number): Promise<FlatPrice | null> {
  const name = `${vendor}:${model}`;
  const finding = readFlat(vendor, model, atMs).then((found) => {
    // Whoever calls chooses the name: those that nobody knows are not kept.
    if (found === undefined) flatPrices.delete(name);
    return found ?? null;
  });
  flatPrices.set(name, finding);
  return finding;
}

/** Undefined where the table does not have the model. */
async function readFlat(vendor: string, model: string, atMs: number): Promise<FlatPrice | null | undefined> {
  const million = (usage: Partial<Usage>) => lookUp(vendor, model, { ...NOTHING, ...usage }, atMs);
  const listed = await million({ input: 1e6 });
  if (listed === null) return undefined;
  const isTiered = Object.values(listed.model_price).some((price) => typeof price === "object");
  if (Array.isArray(listed.model.prices) || isTiered || listed.model_price.requests_kcount !== undefined)
    return null;
  const input = listed.total_price;
  const [cached, output] = [await million({ cached: 1e6 }), await million({ output: 1e6 })];
  const written = await million({ input: 1e6, cacheWritten: 1e6 });
  return {
    ...{ input, cached: cached!.total_price, output: output!.total_price },
    written: written!.total_price - input,
  };
}

function askTable(spec: ModelSpec, usage: Usage, atMs: number) {
  const providerId = findProvider(spec)?.vendor.prices;
  // Without whose price it is, the table would guess by the model's name.
  return providerId ? lookUp(providerId, spec.modelId, usage, atMs) : null;
}

async function lookUp(providerId: string, modelId: string, usage: Usage, atMs: number) {
  const { calcPrice } = await import("@pydantic/genai-prices");
  const tokens = {
    input_tokens: usage.input + usage.cached,
    cache_read_tokens: usage.cached,
    ...(usage.cacheWritten !== undefined && { cache_write_tokens: usage.cacheWritten }),
    output_tokens: usage.output,
  };
  const found = calcPrice(tokens, modelId, { providerId, timestamp: new Date(atMs) });
  return found?.provider.id === providerId ? found : null;
}
