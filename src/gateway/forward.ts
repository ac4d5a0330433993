import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as plainRequest,
  type ServerResponse,
} from "node:http";
import { request as secureRequest } from "node:https";
import { errorText } from "../core/errors.ts";
import type { Upstream } from "./upstream.ts";

/** Where agents put a key, each in another one: the stand-in must not go on. */
const KEY_HEADERS = ["authorization", "x-api-key", "x-goog-api-key"];
const HOP_BY_HOP =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-length|accept-encoding)$/;

export interface Forwarding {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  body: Buffer;
  upstream: Upstream;
  target: URL;
  /** Whether it asks a model for an answer. */
  isCall: boolean;
  refusal(text: string): unknown;
}

export interface Answering {
  status: number;
  headers: IncomingHttpHeaders;
}

/** Gets an answer to a request, from wherever, and sends it back as it comes. */
export type Send = (
  forwarding: Forwarding,
  onAnswer: (response: Answering) => Reader | void,
) => Promise<Seen>;

export interface Seen {
  /** Why the answer is not whole. */
  broken?: unknown;
  headers: Record<string, string>;
  /** Nobody was asked, so nobody is paid. */
  isFree?: boolean;
}

export interface Reader {
  add(chunk: Uint8Array): void;
  end(): void;
}

/** Sends a request on to its provider. */
export const forward: Send = ({ incoming, outgoing, body, upstream, target }, onAnswer) => {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined && !HOP_BY_HOP.test(name) && !(upstream.key && KEY_HEADERS.includes(name)))
      headers[name] = value;
  if (upstream.key) headers[upstream.keyHeader] = upstream.keyValue;
  if (incoming.method !== "GET" && incoming.method !== "HEAD")
    headers["content-length"] = String(body.length);
  if (upstream.key) target.searchParams.delete("key");
  const send = target.protocol === "https:" ? secureRequest : plainRequest;
  return new Promise((resolve) => {
    const sent = send(target, { method: incoming.method, headers });
    const fail = (error: unknown) => {
      if (!outgoing.headersSent)
        answer(outgoing, 502, {
          error: { type: "api_error", message: `the provider can't be reached: ${errorText(error)}` },
        });
      else outgoing.destroy();
      resolve({ broken: error, headers: {} });
    };
    sent.on("error", fail);
    sent.on("response", (response) => {
      const kept = Object.fromEntries(
        Object.entries(response.headers).filter(
          ([name, value]) => value !== undefined && !HOP_BY_HOP.test(name),
        ),
      ) as Record<string, string>;
      const reader = onAnswer({ status: response.statusCode ?? 0, headers: response.headers });
      outgoing.writeHead(response.statusCode ?? 502, kept);
      response.on("data", (chunk: Buffer) => {
        reader?.add(chunk);
        if (!outgoing.write(chunk)) response.pause();
      });
      outgoing.on("drain", () => response.resume());
      response.on("end", () => {
        reader?.end();
        outgoing.end();
        resolve({ headers: kept });
      });
      response.on("error", fail);
    });
    // An agent that hangs up has no use for the rest.
    outgoing.on("close", () => {
      if (!outgoing.writableFinished) sent.destroy(new Error("the agent hung up"));
    });
    sent.end(body);
  });
};

export function answer(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
