import { resolve } from "node:path";
import { UserError } from "../core/errors.ts";
import { countText, plural, usdText } from "../core/number-text.ts";
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
import { systemClock } from "../host/clock.ts";
import { loadEnvFile } from "../models/env-file.ts";
import { LocalGate } from "../models/gate/local-gate.ts";
import { PacedGate } from "../models/gate/paced-gate.ts";
import { readPriceFile } from "../models/prices/price-file.ts";
import { portRefusal } from "../server/start-server.ts";
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
      console.log(options.json ? redactor.toJson(call) : printable(redactor.text(callLine(call))));
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
  await untilSignal(server);
  writer?.end();
  if (options.json) console.log(JSON.stringify({ total: totals }));
  else console.log(`\n${totalLine(totals)}`);
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
