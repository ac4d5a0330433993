import { resolve } from "node:path";
import { UserError } from "../core/errors.ts";
import { countText, plural, usdText } from "../core/number-text.ts";
import type { MetricFamily } from "../core/open-metrics.ts";
import { createRedactor } from "../core/redact.ts";
import { tokensOf } from "../core/trajectory.ts";
import { cacheIn } from "../gateway/cache.ts";
import type { GatewayCall } from "../gateway/call.ts";
import { CassetteWriter, readCassette } from "../gateway/cassette.ts";
import { failWith, readFault } from "../gateway/faults.ts";
import { forward, type Send } from "../gateway/forward.ts";
import { openGateway } from "../gateway/gateway.ts";
import { recordTo, replayFrom } from "../gateway/replay.ts";
import { scriptedModel } from "../gateway/scripted.ts";
import { PLACES } from "../gateway/upstream.ts";
import { warmUp } from "../gateway/warm-up.ts";
import { systemClock } from "../host/clock.ts";
import { loadEnvFile } from "../models/env-file.ts";
import { LocalGate } from "../models/gate/local-gate.ts";
import { PacedGate } from "../models/gate/paced-gate.ts";
import { readPriceFile } from "../models/prices/price-file.ts";
import { portRefusal } from "../server/start-server.ts";
import { serveMetrics } from "./metrics.ts";
import type { MetricsAddress } from "./read-option.ts";
import { printable } from "./terminal.ts";
import { untilSignal } from "./ui.ts";

interface GatewayOptions {
  port?: number;
  record?: string;
  replay?: string;
  scripted?: string[];
  fault?: string;
  cache?: string;
  sample: number;
  maxCalls?: number;
  maxTokens?: number;
  maxCost?: number;
  perMinute?: number;
  atOnce?: number;
  prices?: string;
  metrics?: MetricsAddress;
  json?: boolean;
}

/** Serves a gateway for programs of any kind until Ctrl-C, and tells every call. */
export async function gateway(options: GatewayOptions): Promise<void> {
  const others = (["record", "scripted", "fault"] as const).filter((name) => options[name] !== undefined);
  if (others.length > 0 && options.replay !== undefined)
    throw new UserError(`--${others[0]} and --replay`, { expected: "one of them", got: "both" });
  loadEnvFile(resolve(".env"));
  const redactor = createRedactor(process.env);
  const writer =
    options.record === undefined
      ? undefined
      : new CassetteWriter(resolve(options.record), { ...NOBODY, places: placesHere() }, redactor);
  const { perMinute = 0, atOnce = 0, maxCalls = 0, maxTokens = 0, maxCost = 0 } = options;
  const totals = { calls: 0, failed: 0, tokens: 0, costUsd: 0, unpriced: 0 };
  const metrics = new CallMetrics();
  const lines = new Lines();
  await warmUp();
  const server = await openGateway({
    env: process.env,
    gate: new PacedGate(new LocalGate(systemClock), { perMinute, atOnce }, systemClock),
    send: sendWith(options, { writer, redactor }),
    limits: { calls: maxCalls, tokens: maxTokens, costUsd: maxCost },
    ...(options.prices !== undefined && { prices: await readPriceFile(resolve(options.prices)) }),
    ...(options.port !== undefined && { port: options.port }),
    keepCalls: false,
    signal: new AbortController().signal,
    onCall(call) {
      add(totals, call);
      metrics.add(call);
      lines.say(options.json ? redactor.toJson(call) : printable(redactor.text(callLine(call))));
    },
  }).catch((error: Error) => {
    throw portRefusal(error, options.port ?? 0);
  });
  if (options.json) console.log(JSON.stringify({ url: server.url }));
  else {
    console.log(`${server.url}\n`);
    for (const [vendor, { baseVariable }] of Object.entries(PLACES))
      console.log(`  export ${baseVariable}=${server.url}${vendor === "openai" ? "/v1" : ""}`);
    console.log("\nCtrl-C ends it");
  }
  const scraped = options.metrics && (await serveMetrics(options.metrics, () => metrics.families()));
  await untilSignal(server);
  lines.flush();
  scraped?.close();
  writer?.end();
  if (options.json) console.log(JSON.stringify({ total: totals }));
  else console.log(`\n${totalLine(totals)}`);
}

/** Nobody sees whether a line comes so much later. */
const TOGETHER_MS = 20;

/** Prints lines together that come together: one by itself takes a tenth of what a call takes. */
class Lines {
  #waiting: string[] = [];

  say(line: string): void {
    if (this.#waiting.push(line) === 1) setTimeout(() => this.flush(), TOGETHER_MS);
  }

  flush(): void {
    if (this.#waiting.length > 0) console.log(this.#waiting.join("\n"));
    this.#waiting = [];
  }
}

const NOBODY = { agent: "", model: "", task: "", seed: 0, repeat: 0 };
const placesHere = () => [{ path: process.cwd(), name: "<repo>" }];

interface Behind {
  writer: CassetteWriter | undefined;
  redactor: ReturnType<typeof createRedactor>;
}

function sendWith(
  { replay, scripted, fault, cache, sample }: GatewayOptions,
  { writer, redactor }: Behind,
): Send {
  if (replay !== undefined)
    return replayFrom(readCassette(resolve(replay)), {
      places: placesHere(),
      onDifference: (diff) =>
        process.stderr.write(`${redactor.text(diff).split("\n").map(printable).join("\n")}\n`),
    });
  const model = scripted === undefined ? forward : scriptedModel(scripted);
  const behind = fault === undefined ? model : failWith(readFault(fault), model);
  const asked = cache === undefined ? behind : cacheIn({ dir: resolve(cache), sample, redactor }, behind);
  return writer ? recordTo(writer, asked) : asked;
}

/** What the calls of one model have taken. */
interface ModelTotals {
  /** By how they ended. */
  results: Map<string, number>;
  tokens: { input: number; cached_input: number; output: number };
  costUsd: number;
  savedUsd: number;
  seconds: number;
}

/** Models beyond these are counted together: whoever calls chooses the name. */
const MOST_MODELS = 100;

/** What a scraper gets to know of the calls, by model. */
export class CallMetrics {
  readonly #models = new Map<string, ModelTotals>();

  add({ model, failure, isCached, usage, costUsd, saved, wallMs }: GatewayCall): void {
    const totals = this.#of(model ?? "unknown");
    const result = failure?.kind ?? (isCached ? "cached" : "ok");
    totals.results.set(result, (totals.results.get(result) ?? 0) + 1);
    totals.costUsd += costUsd ?? 0;
    totals.savedUsd += saved?.costUsd ?? 0;
    if (isCached) return;
    totals.seconds += wallMs / 1000;
    totals.tokens.input += usage?.input ?? 0;
    totals.tokens.cached_input += usage?.cached ?? 0;
    totals.tokens.output += usage?.output ?? 0;
  }

  #of(model: string): ModelTotals {
    const name = this.#models.has(model) || this.#models.size < MOST_MODELS ? model : "others";
    const known = this.#models.get(name) ?? {
      ...{ results: new Map(), tokens: { input: 0, cached_input: 0, output: 0 } },
      ...{ costUsd: 0, savedUsd: 0, seconds: 0 },
    };
    this.#models.set(name, known);
    return known;
  }

  families(): MetricFamily[] {
    const family = (name: string, help: string, read: (totals: ModelTotals) => MetricFamily["samples"]) => ({
      ...{ name: `assay_gateway_${name}`, type: "counter" as const, help },
      samples: [...this.#models].flatMap(([model, totals]) =>
        read(totals).map(({ labels, value }) => ({ labels: { model, ...labels }, value })),
      ),
    });
    const split = (name: string, parts: Iterable<[string, number]>) =>
      [...parts].map(([part, value]) => ({ labels: { [name]: part }, value }));
    return [
      family("calls", "Calls by how they ended: ok, cached, or why not.", ({ results }) =>
        split("result", results),
      ),
      family("tokens", "Tokens of calls that providers answered.", ({ tokens }) =>
        split("kind", Object.entries(tokens)),
      ),
      family("cost_usd", "What calls cost.", ({ costUsd }) => [{ value: costUsd }]),
      family("saved_usd", "What cached answers would have cost.", ({ savedUsd }) => [{ value: savedUsd }]),
      family("call_seconds", "Time of calls that were not cached.", ({ seconds }) => [{ value: seconds }]),
    ];
  }
}

interface Totals {
  calls: number;
  failed: number;
  tokens: number;
  costUsd: number;
  /** Answers whose price is unknown. */
  unpriced: number;
}

function add(totals: Totals, { failure, costUsd, usage }: GatewayCall): void {
  totals.calls++;
  if (failure) totals.failed++;
  totals.tokens += usage ? tokensOf(usage) : 0;
  totals.costUsd += costUsd ?? 0;
  if (!failure && costUsd === null) totals.unpriced++;
}

function callLine({ model, status, usage, costUsd, wallMs, failure, isCached }: GatewayCall): string {
  if (failure) return `${model ?? "?"}  ${status || "-"}  ${failure.kind}: ${failure.text}`;
  const cost = isCached ? "from the cache" : costUsd === null ? "price unknown" : usdText(costUsd);
  const tokens = usage ? plural(tokensOf(usage), "token") : "tokens unknown";
  return `${model ?? "?"}  ${status}  ${tokens}  ${cost}  ${Math.round(wallMs)} ms`;
}

function totalLine({ calls, failed, tokens, costUsd, unpriced }: Totals): string {
  const unknown = unpriced > 0 ? `, and ${plural(unpriced, "call")} of unknown price` : "";
  const broken = failed > 0 ? `, ${countText(failed)} failed` : "";
  return `${plural(calls, "call")}${broken}, ${plural(tokens, "token")}, ${usdText(costUsd)}${unknown}`;
}
