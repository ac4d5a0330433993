import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import { errorText } from "../core/errors.ts";
import { type Asking, ask, type Head } from "./connection.ts";
import type { Upstream } from "./upstream.ts";

/** Where agents put a key, each in another one: the stand-in must not go on. */
const KEY_HEADERS = new Set(["authorization", "x-api-key", "x-goog-api-key"]);
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
export interface Send {
  (forwarding: Forwarding, onAnswer: (response: Answering) => Reader | void): Promise<Seen>;
  /** Whether it has the answer already: nobody need be asked or paid. */
  knows?(forwarding: Forwarding): boolean;
}

export interface Seen {
  /** Why the answer is not whole. */
  broken?: unknown;
  headers: Record<string, string>;
  /** Nobody was asked, so nobody is paid; `tookMs` is what the answer took when somebody was. */
  isFree?: boolean;
  tookMs?: number;
}

export interface Reader {
  /** It reads an answer that nobody else is to get yet. */
  isHeld?: boolean;
  add(chunk: Uint8Array): void;
}

/** Sends a request on to its provider, and passes the answer back as it comes, byte for byte. */
export const forward: Send = ({ incoming, outgoing, body, upstream, target }, onAnswer) => {
  const { method = "GET" } = incoming;
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined && !HOP_BY_HOP.test(name) && !(upstream.key && KEY_HEADERS.has(name)))
      headers[name] = value;
  if (upstream.key) {
    headers[upstream.keyHeader] = upstream.keyValue;
    target.searchParams.delete("key");
  }
  return new Promise((resolve) => {
    let reader: Reader | void;
    let kept: Record<string, string> = {};
    let relay: Relay | undefined;
    let asking: Asking | undefined;
    // An agent that hangs up has no use for the rest.
    const leave = () => {
      if (outgoing.writableFinished) return;
      asking?.destroy();
      resolve({ broken: new Error("the agent hung up"), headers: {} });
    };
    const end = (error?: unknown) => {
      outgoing.off("close", leave);
      if (error === undefined) {
        relay?.end();
        resolve({ headers: kept });
        return;
      }
      if (outgoing.headersSent) outgoing.destroy();
      resolve({ broken: error, headers: {} });
    };
    outgoing.on("close", leave);
    try {
      asking = ask(
        target,
        { method, headers, body },
        {
          onHead(head) {
            reader = onAnswer(head);
            kept = Object.fromEntries(
              Object.entries(head.headers).filter(([name]) => !HOP_BY_HOP.test(name)),
            ) as Record<string, string>;
            if (!reader?.isHeld) relay = new Relay(outgoing, head, kept);
          },
          onBytes(bytes, content) {
            // The agent comes first: nobody waits for what is read here.
            const hasRoom = relay?.write(bytes, content, () => asking!.resume()) ?? true;
            if (reader) for (const piece of content) reader.add(piece);
            return hasRoom;
          },
          onEnd: end,
        },
      );
    } catch (error) {
      end(error);
    }
  });
};

/** The way back to the agent. A body in chunks stays as it is: taking it apart and putting it together costs more than all else. */
class Relay {
  readonly #outgoing: ServerResponse;
  readonly #to: Writable;
  readonly #isAsItCame: boolean;

  constructor(outgoing: ServerResponse, { status, framing, headers }: Head, kept: Record<string, string>) {
    this.#outgoing = outgoing;
    const isChunked = framing === "chunked" && outgoing.req.httpVersion === "1.1";
    const length = headers["content-length"];
    outgoing.writeHead(status, {
      ...kept,
      ...(isChunked && { "transfer-encoding": "chunked" }),
      ...(typeof framing === "number" && length !== undefined && { "content-length": String(length) }),
    });
    this.#isAsItCame = isChunked || typeof framing === "number";
    this.#to = (isChunked && outgoing.socket) || outgoing;
    if (!isChunked) return;
    // With the first piece of the body, which mostly is here, too.
    this.#to.cork();
    process.nextTick(() => this.#to.uncork());
    outgoing.flushHeaders();
    outgoing.chunkedEncoding = false;
  }

  /** Whether there is room for more; where there is none, `onRoom` is called once there is. */
  write(bytes: Buffer, content: readonly Buffer[], onRoom: () => void): boolean {
    // The content alone is for an agent that understands no chunks, and of an answer that the connection's end ends.
    const pieces = this.#isAsItCame ? [bytes] : content;
    let hasRoom = true;
    for (const piece of pieces) hasRoom = this.#to.write(piece);
    if (!hasRoom) this.#to.once("drain", onRoom);
    return hasRoom;
  }

  end(): void {
    this.#outgoing.end();
  }
}

const waiting: (() => void)[] = [];

/**
 * Waits for its turn, in the order of asking: one in each round of the event loop. What begins and ends calls takes turns,
 * so what streams bring is passed on in between, and a call begins after those have been counted that ended before it.
 */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(takeTurn);
  });
}

function takeTurn(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(takeTurn);
}

/** Tells an agent that has no answer yet why there is none. */
export function answerFailure(outgoing: ServerResponse, error: unknown): void {
  if (outgoing.headersSent || outgoing.destroyed) return;
  const message = `the provider can't be reached: ${errorText(error)}`;
  answer(outgoing, 502, { error: { type: "api_error", message } });
}

export function answer(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
