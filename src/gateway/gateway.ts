import { setMaxListeners } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { errorText, UserError } from "../core/errors.ts";
import { valueAt } from "../core/nest-params.ts";
import { tokensOf, type Usage } from "../core/trajectory.ts";
import { CallFailure, explainFailure } from "../models/call-failure.ts";
import type { Gate, Ticket } from "../models/gate/gate.ts";
import { findGate } from "../models/gate/index.ts";
import { ModelError } from "../models/model.ts";
import { type PriceTable, priceListed } from "../models/prices/price.ts";
import { AnswerReader } from "./answer-reader.ts";
import type { GatewayCall } from "./call.ts";
import { answer, type Forwarding, forward, type Seen, type Send } from "./forward.ts";
import { PROTOCOLS } from "./protocols/index.ts";
import { Answer, type Json, type Protocol, parseJson } from "./protocols/protocol.ts";
import { LimitKeeper, RunLimitReached, type RunLimits } from "./run-limits.ts";
import { upstreamOf } from "./upstream.ts";

/** What one run's model traffic goes through. */
export interface Gateway {
  /** What the agent takes for its provider's address, without a path. */
  url: string;
  /** Every call so far, in the order in which they ended. */
  calls: readonly GatewayCall[];
  close(): Promise<void>;
}

export interface GatewayOptions {
  /** Where addresses and keys of providers are looked up. */
  env: Record<string, string | undefined>;
  gate?: Gate;
  /** Where answers come from; the provider itself unless told. */
  send?: Send;
  /** What this run may take. */
  limits?: RunLimits;
  /** The user's own prices. */
  prices?: PriceTable;
  signal: AbortSignal;
  /** False where nobody wants all calls at the end: they take memory. */
  keepCalls?: boolean;
  /** 0 is any that is free. */
  port?: number;
  /** Told before a call begins what it may cost at most; what comes back is called when it has ended. */
  reserve?(worstUsd: number | null): () => void;
  /** Told of each call once it has ended, and of what was said in it. */
  onCall?(call: GatewayCall, said: CallContent): void;
}

export interface CallContent {
  protocol: Protocol;
  request: Json;
  /** What came of it, which may be a part; put together when it is asked for. */
  readonly answer: Answer;
}

/** A request is kept in memory until it is sent on: its price must be known before. */
const MOST_REQUEST_BYTES = 64 << 20;
/** Where a request does not say how long the answer may be. */
const MOST_OUTPUT = 32_000;
/** Longer than agents keep a connection for their next call: one that is closed as it is used again is an error to them. */
const IDLE_MS = 600_000;
/** Fewer bytes of JSON than this make no token. */
const BYTES_A_TOKEN = 3;
/**
 * Opens a gateway of one run's own on loopback: an agent that is told its address reaches its provider through it. Bytes
 * pass unchanged; keys are added here, so the agent needs none. What it asks, what it gets and what that costs is known
 * exactly, whatever the agent prints about itself.
 */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const calls: GatewayCall[] = [];
  const note: Serving["note"] = (call, said) => {
    if (options.keepCalls !== false) calls.push(call);
    options.onCall?.(call, said);
  };
  // Each call that waits listens to it.
  const signal = AbortSignal.any([options.signal]);
  setMaxListeners(0, signal);
  const keeper = new LimitKeeper(options.limits ?? {});
  const failing: Serving["failing"] = new Set();
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing, { ...options, signal, note, keeper, failing }).catch((error: unknown) => {
      if (!outgoing.headersSent) outgoing.writeHead(502, { "content-type": "application/json" });
      outgoing.end(JSON.stringify({ error: { message: errorText(error) } }));
    });
  });
  server.keepAliveTimeout = IDLE_MS;
  // Codex tries a WebSocket first, and takes what every client knows when it is told that there is none.
  server.on("upgrade", (_, socket) => {
    socket.end("HTTP/1.1 426 Upgrade Required\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close: () => close(server),
  };
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

interface Serving extends GatewayOptions {
  keeper: LimitKeeper;
  /** Models whose last call got no answer. */
  failing: Set<string | null>;
  note(call: GatewayCall, said: CallContent): void;
}

async function serve(incoming: IncomingMessage, outgoing: ServerResponse, serving: Serving): Promise<void> {
  const url = new URL(incoming.url ?? "/", "http://gateway");
  const { pathname } = url;
  if (pathname === "/") {
    outgoing.writeHead(200).end();
    return;
  }
  const protocol = protocolOf(incoming, pathname);
  if (protocol === undefined) {
    answer(outgoing, 404, { error: { message: `the gateway knows no protocol with ${pathname}` } });
    return;
  }
  const isCall = protocol.calls.test(pathname);
  if (isCall && incoming.method !== "POST") {
    answer(outgoing, 426, { error: { message: "POST is what calls a model" } });
    return;
  }
  const body = await readBody(incoming);
  const upstream = upstreamOf(protocol, serving.env);
  const target = new URL(upstream.base + pathname + url.search);
  const { refusal } = protocol;
  const forwarding = { incoming, outgoing, body, upstream, target, isCall, refusal };
  if (isCall) await meter(forwarding, { protocol, pathname, serving });
  else await (serving.send ?? forward)(forwarding, () => {});
}

function protocolOf({ headers }: IncomingMessage, path: string): Protocol | undefined {
  const called = PROTOCOLS.find(({ calls }) => calls.test(path));
  if (called) return called;
  // OpenAI and Anthropic list their models under one path.
  if (/^\/v1\/models(\/|$)/.test(path) && headers["anthropic-version"] !== undefined)
    return PROTOCOLS.find(({ vendor }) => vendor === "anthropic");
  return PROTOCOLS.find(({ asks }) => asks.test(path));
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_REQUEST_BYTES) throw new Error("the request is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

interface Metering {
  protocol: Protocol;
  pathname: string;
  serving: Serving;
}

/** A call that asks for an answer: let through when there is room and money, and written down with what it took. */
async function meter(forwarding: Forwarding, { protocol, pathname, serving }: Metering): Promise<void> {
  const { body, outgoing } = forwarding;
  const { gate = findGate(), signal, note, send = forward, keeper, failing, prices = {} } = serving;
  const asked = parseJson(body);
  const model = protocol.modelOf(pathname, asked);
  const price = (usage: Usage) => priceListed({ vendor: protocol.vendor, model, prices }, usage, Date.now());
  const startedAtMs = Date.now();
  const startMs = performance.now();
  const call: GatewayCall = {
    ...{ startedAtMs, protocol: protocol.name, model, status: 0 },
    ...{ usage: null, costUsd: null, firstTokenMs: null, wallMs: 0 },
    ...(failing.has(model) && { isRetry: true }),
  };
  const worst = {
    ...{ input: Math.ceil(body.length / BYTES_A_TOKEN), cached: 0, reasoning: 0 },
    output: protocol.mostOutput(asked) ?? MOST_OUTPUT,
  };
  let reader: AnswerReader | undefined;
  const said: CallContent = {
    ...{ protocol, request: asked },
    get answer() {
      return reader?.answer ?? new Answer();
    },
  };
  let tickets: Ticket[] = [];
  const worstUsd = await price(worst);
  try {
    const own = await keeper.admit(worstUsd, signal);
    tickets = own ? [own] : [];
    tickets.push(await gate.admit({ provider: protocol.vendor, worstUsd, signal }));
  } catch (error) {
    for (const ticket of tickets) ticket.settle({ costUsd: 0, result: "failed" });
    if (!(error instanceof ModelError || error instanceof UserError)) throw error;
    const isOwnLimit = error instanceof RunLimitReached;
    const failure = { kind: "budget" as const, text: error.message, ...(isOwnLimit && { isOwnLimit }) };
    note({ ...call, status: 402, failure }, said);
    answer(outgoing, 402, protocol.refusal(error.message));
    return;
  }
  const release = serving.reserve?.(worstUsd);
  let text = "";
  const seen = await send(forwarding, ({ status, headers }) => {
    call.status = status;
    const isGood = status < 300;
    reader = new AnswerReader(protocol, isGood ? String(headers["content-type"] ?? "") : "", () => {
      call.firstTokenMs = performance.now() - startMs;
    });
    return {
      add(chunk) {
        if (!isGood && text.length < 4096) text += String(chunk);
        reader!.add(chunk);
      },
      end: () => reader!.end(),
    };
  });
  // Of an answer that broke off, what came counts.
  reader?.end();
  call.usage = reader?.usage ?? null;
  call.wallMs = performance.now() - startMs;
  call.costUsd = seen.isFree ? 0 : call.usage && (await price(call.usage));
  if (seen.isFree) call.isCached = true;
  const failure = failureOf(call, {
    ...seen,
    text,
    told: reader?.error,
    isReadable: reader?.isReadable ?? false,
  });
  if (failure) call.failure = { kind: failure.kind, text: failure.message };
  if (failure) failing.add(model);
  else failing.delete(model);
  const isLimited = failure?.kind === "rate-limit";
  release?.();
  keeper.note(call);
  for (const ticket of tickets)
    ticket.settle({
      costUsd: call.costUsd ?? (failure && !failure.mayBeBilled ? 0 : null),
      result: failure === undefined ? "ok" : isLimited ? "limited" : "failed",
      ...(isLimited && { pauseMs: failure.retryAfterMs ?? 0 }),
      ...(call.usage && { tokens: tokensOf(call.usage) }),
    });
  note(call, said);
}

interface Told extends Seen {
  /** The beginning of a refusal. */
  text: string;
  /** What the answer itself says went wrong. */
  told: string | undefined;
  isReadable: boolean;
}

/** Why a call is no answer, by its status first; undefined where it is one. */
function failureOf({ status }: GatewayCall, { broken, headers, text, told, isReadable }: Told) {
  const explain = (message: string, statusCode: number) =>
    explainFailure(
      Object.assign(new Error(message), { statusCode, responseHeaders: headers, responseBody: text }),
      Date.now(),
    );
  if (broken instanceof CallFailure) return broken;
  if (status === 0) return explainFailure(broken, Date.now());
  if (status >= 300) return explain(messageIn(text), status);
  if (broken !== undefined) return explainFailure(new Error("the answer broke off (socket)"), Date.now());
  if (!isReadable) return explain("the answer can't be read", 502);
  if (told === undefined) return undefined;
  return explain(told, /overloaded|rate_limit|server_error|api_error|internal/i.test(told) ? 503 : 400);
}

function messageIn(refusal: string): string {
  const message = valueAt(parseJson(refusal), "error", "message");
  return typeof message === "string" ? message : refusal.slice(0, 200);
}
