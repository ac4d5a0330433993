import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { UserError } from "../core/errors.ts";
import { type ModelSpec, parseModelSpec } from "./model-spec.ts";
import { findPrice, type PriceTable } from "./prices/price.ts";
import { findProvider } from "./providers/index.ts";
import type { Environment, Provider } from "./providers/provider.ts";

export interface ModelCheck {
  env?: Environment;
  baseUrl?: string | undefined;
  /** Paths of replays are relative to it. */
  baseDir?: string;
  /** With a limit, a model must have a price. */
  limitUsd?: number | undefined;
  /** The user's own prices. */
  prices?: PriceTable;
}

/** Says before any run starts what would keep a model from answering: one message for the first thing that is missing. */
export async function checkModel(text: string, check: ModelCheck = {}): Promise<ModelSpec> {
  const spec = parseModelSpec(text);
  const { env = process.env, baseUrl, baseDir = ".", limitUsd, prices = {} } = check;
  const provider = findProvider(spec);
  if (provider) checkAccess(spec, provider, env, baseUrl);
  if (spec.provider === "replay" && !existsSync(resolve(baseDir, spec.modelId)))
    throw new UserError(`no recording ${resolve(baseDir, spec.modelId)}`, {
      remedy: "Record one first: name a file in the parameter record.",
    });
  if (limitUsd !== undefined) await checkPrice(text, prices);
  return spec;
}

/** A limit on what is spent can only be kept where the price is known. A replay spends nothing. */
export async function checkPrice(text: string, prices: PriceTable): Promise<void> {
  const spec = parseModelSpec(text);
  if (spec.provider === "replay" || (await findPrice(spec, { prices, atMs: Date.now() })) !== null) return;
  throw new UserError(`the price of ${spec.name} is unknown, so a cost limit can't be kept`, {
    remedy: `Write its USD per million tokens into a price file ("${spec.name}": {input: 1, cached: 0.1, output: 4}) and name that in the parameter prices, or leave out the limit.`,
  });
}

function checkAccess(
  spec: ModelSpec,
  provider: Provider,
  env: Environment,
  baseUrl: string | undefined,
): void {
  const settled = provider.settle?.(env) ?? env;
  const isSet = (name: string) => !!settled[name] || (!!baseUrl && name.endsWith("_BASE_URL"));
  const missing = provider.ways.map((way) => way.filter((name) => !isSet(name)));
  if (missing.some((names) => names.length === 0)) return;
  // The way that lacks least is the one that was meant.
  const [names] = missing.toSorted((a, b) => a.length - b.length);
  const others = missing.length > 1 ? ` (or: ${provider.ways.map((way) => way.join(", ")).join(" | ")})` : "";
  throw new UserError(`the model ${spec.name} needs ${names!.join(" and ")}${others}`, {
    remedy: `Set ${names!.length > 1 ? "them" : "it"} in the environment or in a file .env next to the study, or use model: scripted, which needs nothing.`,
  });
}
