import { resolve } from "node:path";
import type { Clock } from "../core/clock.ts";
import { createRedactor } from "../core/redact.ts";
import { systemClock } from "../host/clock.ts";
import { checkModel } from "./check-model.ts";
import type { Gate } from "./gate/gate.ts";
import { GATE_VARIABLE } from "./gate/gate-server.ts";
import { findGate } from "./gate/index.ts";
import { createMeteredModel } from "./metered-model.ts";
import type { Model } from "./model.ts";
import type { ModelSpec } from "./model-spec.ts";
import { findContextTokens, type PriceTable, priceCall } from "./prices/price.ts";
import { findProvider } from "./providers/index.ts";
import type { Environment } from "./providers/provider.ts";
import { RETRY_RULE, type RetryRule } from "./retry.ts";
import { createScriptedCaller } from "./scripted/scripted-caller.ts";
import { createSdkCaller } from "./sdk-caller.ts";
import { loadTokenizer } from "./tokens.ts";
import { type Asker, recordModel } from "./traffic/record-model.ts";
import { createReplayModel } from "./traffic/replay-model.ts";

export interface ModelOptions {
  env?: Environment;
  /** Of compatible servers, and to reach a provider by another address. */
  baseUrl?: string | undefined;
  /** Paths of recordings are relative to it. */
  baseDir?: string;
  /** The user's own prices, which go before the table's. */
  prices?: PriceTable;
  /** A file to write calls and answers to. */
  record?: string | undefined;
  /** Who asks: recordings keep the calls of each run apart. */
  asker?: Asker;
  /** A try that takes longer has failed. */
  timeoutMs?: number;
  rule?: RetryRule;
  gate?: Gate;
  clock?: Clock;
}

const TIMEOUT_MS = 600_000;
/** Small enough that long explorations feel it. */
const SCRIPTED_CONTEXT_TOKENS = 128_000;

/** A model by a preset's name or `provider:model`. One for each run: a scripted or replayed one has a memory. */
export async function createModel(text: string, options: ModelOptions = {}): Promise<Model> {
  const { env: given = process.env, baseDir = ".", record } = options;
  const spec = await checkModel(text, { env: given, baseDir, baseUrl: options.baseUrl });
  const env = findProvider(spec)?.settle?.(given) ?? given;
  const redactor = createRedactor(env);
  const count = await loadTokenizer();
  if (spec.provider === "replay")
    return createReplayModel({
      path: resolve(baseDir, spec.modelId),
      count,
      redactor,
      run: options.asker?.run,
    });
  const { clock = systemClock, prices = {}, rule = RETRY_RULE } = options;
  const isScripted = spec.provider === "scripted";
  const model = createMeteredModel({
    name: spec.name,
    provider: spec.endpoint?.vendor ?? spec.provider,
    contextTokens: isScripted ? SCRIPTED_CONTEXT_TOKENS : await findContextTokens(spec),
    caller: isScripted ? createScriptedCaller(count) : createHttpCaller(spec, { ...options, env }),
    // Nobody asks the scripted model to slow down: without a budget to keep it needs no gate.
    gate:
      options.gate ?? (isScripted && !env[GATE_VARIABLE] ? OPEN_GATE : findGate(env[GATE_VARIABLE] ?? "")),
    price: (usage) => priceCall(spec, usage, { prices, atMs: clock.wallTime() }),
    count,
    clock,
    rule,
    redactor,
  });
  if (record === undefined) return model;
  return recordModel(model, { path: resolve(baseDir, record), redactor, asker: options.asker });
}

const OPEN_GATE: Gate = { admit: async () => ({ settle: () => {} }) };

function createHttpCaller(spec: ModelSpec, options: ModelOptions) {
  const { env = process.env, baseUrl, timeoutMs = TIMEOUT_MS } = options;
  return createSdkCaller(() => findProvider(spec)!.connect(spec, { env, baseUrl }), timeoutMs);
}

/** Whether a study needs a gate that its threads and processes share: for a provider's sake, or for a budget's. */
export function needsGate(specs: readonly ModelSpec[], limitUsd: number | null): boolean {
  return limitUsd !== null || specs.some((spec) => findProvider(spec) !== undefined);
}
