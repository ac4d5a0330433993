import { validateHeaderValue } from "node:http";
import { connect as connectPlain, type NetConnectOpts, type Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
import { BodyReader, type Framing } from "./body-reader.ts";

export interface Request {
  method: string;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

export interface Head {
  status: number;
  headers: Record<string, string | string[]>;
  framing: Framing;
}

/** Who is told of an answer. After `onEnd` nothing more is said; it has an error where the answer is not whole. */
export interface Listener {
  onHead(head: Head): void;
  /** A piece of the body as it came, with its framing, and the content in it; false asks for a pause. */
  onBytes(bytes: Buffer, content: readonly Buffer[]): boolean;
  onEnd(error?: unknown): void;
}

/** A request under way. */
export interface Asking {
  resume(): void;
  /** Nobody wants the rest of the answer. */
  destroy(): void;
}

const LARGEST_HEAD = 1 << 16;
/** Servers close idle connections after 5 s or more, unless they say when. */
const IDLE_MS = 4000;
const ALIVE_MS = 60_000;
/** What comes in is copied at once, so one buffer does for all connections. */
const READ_BUFFER = Buffer.allocUnsafe(1 << 16);

/** Connections that wait for their next request, by what they lead to; the last one that was used is the first. */
const idle = new Map<string, Connection[]>();
/** What spares the next connection to a server half of its handshake. */
const sessions = new Map<string, Buffer>();

/**
 * Sends a request to a server, over a connection that is kept for the next one. Unlike `http.request` it leaves a body
 * framed as it came, so that it can be passed on as it is: for streams of many small events that takes half of the
 * processor's time.
 */
export function ask(target: URL, request: Request, listener: Listener): Asking {
  const place = `${target.protocol}//${target.host}`;
  const connection = idle.get(place)?.pop() ?? new Connection(target, place);
  connection.send(headOf(target, request), request, listener);
  return {
    resume: () => connection.resume(),
    destroy: () => connection.abandon(listener),
  };
}

function headOf(target: URL, { method, headers, body }: Request): string {
  const lines = [`${method} ${target.pathname}${target.search} HTTP/1.1`, `host: ${target.host}`];
  if (target.username !== "" && headers.authorization === undefined) {
    const words = [target.username, target.password].map(decodeURIComponent).join(":");
    lines.push(`authorization: Basic ${Buffer.from(words).toString("base64")}`);
  }
  for (const [name, value] of Object.entries(headers))
    for (const one of [value].flat()) {
      validateHeaderValue(name, one);
      lines.push(`${name}: ${one}`);
    }
  if (body.length > 0 || (method !== "GET" && method !== "HEAD"))
    lines.push(`content-length: ${body.length}`);
  return `${lines.join("\r\n")}\r\nconnection: keep-alive\r\n\r\n`;
}

class Connection {
  readonly #place: string;
  readonly #socket: Socket;
  #listener: Listener | undefined;
  #method = "";
  /** The beginning of an answer, until its head is whole. */
  #begun: Buffer | undefined;
  #body: BodyReader | undefined;
  #idleMs = 0;

  constructor(target: URL, place: string) {
    this.#place = place;
    this.#socket = open(target, place, (bytes) => this.#take(bytes));
    this.#socket.on("error", (error) => this.#fail(error));
    this.#socket.on("close", () => this.#close());
    this.#socket.on("timeout", () => this.#destroy());
  }

  send(head: string, { method, body }: Request, listener: Listener): void {
    this.#listener = listener;
    this.#method = method;
    this.#body = undefined;
    this.#socket.ref();
    this.#socket.setTimeout(0);
    this.#socket.cork();
    this.#socket.write(head, "latin1");
    if (body.length > 0) this.#socket.write(body);
    this.#socket.uncork();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** By then the connection may be somebody else's. */
  abandon(listener: Listener): void {
    if (this.#listener === listener) this.#destroy();
  }

  #destroy(): void {
    this.#listener = undefined;
    this.#socket.destroy();
  }

  #take(bytes: Buffer): boolean {
    // Nothing was asked: whatever it is, this connection is no good any more.
    if (!this.#listener) {
      this.#destroy();
      return true;
    }
    try {
      return this.#body ? this.#takeBody(bytes) : this.#takeHead(bytes);
    } catch (error) {
      this.#fail(error);
      return true;
    }
  }

  #takeHead(bytes: Buffer): boolean {
    const begun = this.#begun ? Buffer.concat([this.#begun, bytes]) : bytes;
    const end = begun.indexOf("\r\n\r\n");
    if (end === -1 && begun.length > LARGEST_HEAD) throw new Error("the head of the answer is too large");
    this.#begun = end === -1 ? begun : undefined;
    if (end === -1) return true;
    const rest = begun.subarray(end + 4);
    const head = readHead(begun.toString("latin1", 0, end), this.#method);
    // Such as 100 Continue: the answer itself is still to come.
    if (head.status < 200) return rest.length === 0 || this.#takeHead(rest);
    this.#idleMs = idleMsOf(head);
    this.#body = new BodyReader(head.framing);
    this.#listener!.onHead(head);
    return this.#takeBody(rest);
  }

  #takeBody(bytes: Buffer): boolean {
    const body = this.#body!;
    const content: Buffer[] = [];
    const used = bytes.length === 0 ? 0 : body.take(bytes, content);
    const own = used === bytes.length ? bytes : bytes.subarray(0, used);
    const wantsMore = used === 0 || this.#listener!.onBytes(own, content);
    if (body.isEnd) this.#finish(used === bytes.length);
    return wantsMore || body.isEnd;
  }

  /** The answer is whole: the connection is free for the next one. */
  #finish(isClean: boolean): void {
    const listener = this.#listener!;
    this.#listener = undefined;
    if (isClean && this.#idleMs > 0 && this.#socket.writable) {
      this.#socket.setTimeout(this.#idleMs);
      this.#socket.unref();
      const waiting = idle.get(this.#place);
      if (waiting) waiting.push(this);
      else idle.set(this.#place, [this]);
    } else this.#socket.destroy();
    listener.onEnd();
  }

  #fail(error: unknown): void {
    const listener = this.#listener;
    this.#destroy();
    listener?.onEnd(error);
  }

  #close(): void {
    const waiting = idle.get(this.#place) ?? [];
    const at = waiting.indexOf(this);
    if (at !== -1) waiting.splice(at, 1);
    if (waiting.length === 0) idle.delete(this.#place);
    const listener = this.#listener;
    this.#listener = undefined;
    if (this.#body?.isWholeAtClose) listener?.onEnd();
    else listener?.onEnd(Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }));
  }
}

function open(target: URL, place: string, onBytes: (bytes: Buffer) => boolean): Socket {
  const isSecure = target.protocol === "https:";
  // IPv6 addresses stand in brackets in a URL.
  const host = target.hostname.replace(/^\[(.*)\]$/, "$1");
  const options: NetConnectOpts = {
    ...{ host, port: Number(target.port) || (isSecure ? 443 : 80) },
    ...{ noDelay: true, keepAlive: true, keepAliveInitialDelay: ALIVE_MS },
    onread: {
      buffer: READ_BUFFER,
      callback(count, buffer) {
        const bytes = Buffer.allocUnsafe(count);
        (buffer as Buffer).copy(bytes, 0, 0, count);
        return onBytes(bytes);
      },
    },
  };
  if (!isSecure) return connectPlain(options);
  const session = sessions.get(place);
  const isName = !/^[\d.]+$|:/.test(host);
  const secure = connectSecure({
    ...options,
    ...(isName && { servername: host }),
    ...(session && { session }),
    ALPNProtocols: ["http/1.1"],
  });
  return secure.on("session", (one) => sessions.set(place, one));
}

function readHead(text: string, method: string): Head {
  const [first = "", ...lines] = text.split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(first)?.[1]);
  if (Number.isNaN(status)) throw new Error("the answer is not HTTP/1.1");
  const headers: Head["headers"] = {};
  for (const line of lines) {
    const [, name = "", value = ""] = /^([^\s:]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (name === "") throw new Error("a header of the answer can't be read");
    const key = name.toLowerCase();
    const before = headers[key];
    if (key === "set-cookie") headers[key] = [...(before ?? []), value];
    else headers[key] = before === undefined ? value : `${String(before)}, ${value}`;
  }
  // It is no list: whoever does not say so is not kept.
  if (first.startsWith("HTTP/1.0")) headers.connection ??= "close";
  return { status, headers, framing: framingOf(status, headers, method) };
}

function framingOf(status: number, headers: Head["headers"], method: string): Framing {
  if (method === "HEAD" || status === 204 || status === 304) return 0;
  const coding = headers["transfer-encoding"];
  if (coding !== undefined) {
    if (!/^chunked$/i.test(String(coding)))
      throw new Error(`the answer's coding is unknown: ${String(coding)}`);
    return "chunked";
  }
  const length = headers["content-length"];
  if (length === undefined) return "close";
  if (!/^\d+$/.test(String(length))) throw new Error("the answer does not say its length");
  return Number(length);
}

/** How long a connection may wait for its next request; 0 where it may not. */
function idleMsOf({ headers, framing }: Head): number {
  if (framing === "close" || /\bclose\b/i.test(String(headers.connection ?? ""))) return 0;
  const told = /timeout=(\d+)/.exec(String(headers["keep-alive"] ?? ""))?.[1];
  return told === undefined ? IDLE_MS : Math.max(0, Number(told) * 1000 - 1000);
}
