import { setMaxListeners } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { errorText } from "../core/errors.ts";
import type { Gate } from "../models/gate/gate.ts";
import type { PriceTable } from "../models/prices/price.ts";
import type { RetryRule } from "../models/retry.ts";
import type { GatewayCall } from "./call.ts";
import { answer, answerFailure, forward, type Send } from "./forward.ts";
import { type CallContent, type Metered, meter } from "./meter.ts";
import { PROTOCOLS } from "./protocols/index.ts";
import type { Protocol } from "./protocols/protocol.ts";
import { LimitKeeper, type RunLimits } from "./run-limits.ts";
import { type Upstream, upstreamOf } from "./upstream.ts";

/** What one run's model traffic goes through. */
export interface Gateway {
  /** What the agent takes for its provider's address, without a path. */
  url: string;
  /** Every call so far, in the order in which they ended; one is counted a moment after its answer is whole. */
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
  /** How calls are tried again that a provider is too full or too broken to answer; their caller's affair unless told. */
  retry?: RetryRule;
  /** What a caller must show to have its calls paid; all are unless told. Whoever shows another key pays with that. */
  key?: string;
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

/** A request is kept in memory until it is sent on: its price must be known before. */
const MOST_REQUEST_BYTES = 64 << 20;
/** Longer than agents keep a connection for their next call: one that is closed as it is used again is an error to them. */
const IDLE_MS = 600_000;

/**
 * Opens a gateway of one run's own on loopback: an agent that is told its address reaches its provider through it. Bytes
 * pass unchanged; keys are added here, so the agent needs none. What it asks, what it gets and what that costs is known
 * exactly, whatever the agent prints about itself.
 */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const calls: GatewayCall[] = [];
  const note: Metered["note"] = (call, said) => {
    if (options.keepCalls !== false) calls.push(call);
    options.onCall?.(call, said);
  };
  // Each call that waits listens to it.
  const signal = AbortSignal.any([options.signal]);
  setMaxListeners(0, signal);
  const keeper = new LimitKeeper(options.limits ?? {});
  const serving: Serving = { ...options, signal, note, keeper, failing: new Set() };
  const underWay = new Set<Promise<void>>();
  const server = createServer((incoming, outgoing) => {
    const served = serve(incoming, outgoing, serving).catch((error: unknown) => {
      if (!outgoing.headersSent) outgoing.writeHead(502, { "content-type": "application/json" });
      outgoing.end(JSON.stringify({ error: { message: errorText(error) } }));
    });
    underWay.add(served);
    void served.then(() => underWay.delete(served));
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
    async close() {
      await close(server);
      // Who was hung up on is told of as a call, too.
      await Promise.all(underWay);
    },
  };
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

type Serving = GatewayOptions & Metered;

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
  const upstream = payerOf(incoming, upstreamOf(protocol, serving.env), serving.key);
  const target = new URL(upstream.base + pathname + url.search);
  const { refusal } = protocol;
  const forwarding = { incoming, outgoing, body, upstream, target, isCall, refusal };
  if (isCall) return meter(forwarding, { protocol, pathname, serving });
  const { broken } = await (serving.send ?? forward)(forwarding, () => {});
  if (broken !== undefined) answerFailure(outgoing, broken);
}

/** Who does not show what was agreed on gets no key of ours. */
function payerOf({ headers, url = "" }: IncomingMessage, upstream: Upstream, key?: string): Upstream {
  if (key === undefined) return upstream;
  const shown = [headers.authorization, headers["x-api-key"], headers["x-goog-api-key"], url];
  return shown.some((text) => String(text ?? "").includes(key)) ? upstream : { ...upstream, key: "" };
}

function protocolOf({ headers }: IncomingMessage, path: string): Protocol | undefined {
  const called = PROTOCOLS.find(({ calls }) => calls.test(path));
  if (called) return called;
  // OpenAI and Anthropic list their models under one path.
  if (/^\/v1\/models(\/|$)/.test(path) && headers["anthropic-version"] !== undefined)
    return PROTOCOLS.find(({ vendor }) => vendor === "anthropic");
  return PROTOCOLS.find(({ asks }) => asks.test(path));
}

function readBody(incoming: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    incoming.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MOST_REQUEST_BYTES) chunks.push(chunk);
      else reject(new Error("the request is too large"));
    });
    incoming.on("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    // Who hangs up in the middle of a request has asked nothing.
    incoming.on("close", () => reject(new Error("the request broke off")));
    incoming.on("error", reject);
  });
}
