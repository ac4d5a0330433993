import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Readable } from "node:stream";
import { AwsV4Signer } from "aws4fetch";
import { UserError } from "../../core/errors.ts";
import { sleep } from "../../host/clock.ts";
import { Refusal } from "../envelope.ts";
import type { ArchiveFacts } from "./archive.ts";
import type { S3Place } from "./s3-place.ts";

/** A connection on which nothing moves for so long is dead. */
const IDLE_MS = 60_000;
const NO_CONTINUE_MS = 1000;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5000;
const MOST_ERROR_BYTES = 10_000;

interface Ask {
  headers?: Record<string, string>;
  /** Opened anew for each try. */
  body?: () => Readable;
  /** In place of the object's own. */
  url?: string;
}

/** Objects of an S3-compatible store, as streams. What the network or the server broke is tried again. */
export class S3Client {
  readonly #place: S3Place;
  readonly #patienceMs: number;

  /** Tries go on until nothing has come of them for `patienceMs`. */
  constructor(place: S3Place, { patienceMs = 120_000 } = {}) {
    this.#place = place;
    this.#patienceMs = patienceMs;
  }

  async put(name: string, path: string, { sha256, bytes }: ArchiveFacts): Promise<void> {
    // The server checks what arrives against the sum, which is signed.
    const headers = {
      "content-length": String(bytes),
      "x-amz-content-sha256": sha256,
      expect: "100-continue",
    };
    await this.#persist(async () => {
      const answer = await this.#ask("PUT", name, { headers, body: () => createReadStream(path) });
      await drain(answer);
    });
  }

  /** Into a file, from where an interrupted try had come to; checked, where it is known what should come. */
  async get(name: string, path: string, facts?: ArchiveFacts): Promise<void> {
    const file = await open(path, "w");
    try {
      let hash = createHash("sha256");
      let have = 0;
      let bytes = facts?.bytes;
      await this.#persist(
        async () => {
          const answer = await this.#ask(
            "GET",
            name,
            have > 0 ? { headers: { range: `bytes=${have}-` } } : {},
          );
          if (have > 0 && answer.statusCode !== 206) {
            // A server that knows no ranges begins at the beginning.
            hash = createHash("sha256");
            have = 0;
            await file.truncate(0);
          }
          bytes ??= Number(answer.headers["content-length"]);
          for await (const piece of answer as AsyncIterable<Buffer>) {
            if (have + piece.length > bytes) throw new Refusal("content", `${name} is larger than was said`);
            await file.write(piece, 0, piece.length, have);
            hash.update(piece);
            have += piece.length;
          }
          if (have < (bytes ?? 0)) throw new Error("the connection ended early");
        },
        () => have,
      );
      if (facts && hash.digest("hex") !== facts.sha256)
        throw new Refusal("content", `${name} has another checksum`);
    } finally {
      await file.close();
    }
  }

  /** The names of all objects that begin so. */
  async list(beginning: string): Promise<string[]> {
    const { root, prefix } = this.#place;
    const names: string[] = [];
    for (let token: string | undefined = ""; token !== undefined; ) {
      const query = new URLSearchParams({ "list-type": "2", prefix: prefix + beginning });
      if (token !== "") query.set("continuation-token", token);
      let text = "";
      await this.#persist(async () => {
        text = "";
        const answer = await this.#ask("GET", beginning, { url: `${root}/?${query}` });
        for await (const piece of answer.setEncoding("utf8")) text += String(piece);
      });
      for (const [, key] of text.matchAll(/<Key>([^<]*)<\/Key>/g))
        names.push(unescapeXml(key!).slice(prefix.length));
      const more = /<NextContinuationToken>([^<]*)</.exec(text)?.[1];
      token = more === undefined ? undefined : unescapeXml(more);
    }
    return names;
  }

  async delete(name: string): Promise<void> {
    await this.#persist(async () => drain(await this.#ask("DELETE", name)));
  }

  /** `progress` grows while a try brings something; then the next ones have the whole time again. */
  async #persist(action: () => Promise<void>, progress = () => 0): Promise<void> {
    let deadline = performance.now() + this.#patienceMs;
    let before = progress();
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)) {
      try {
        return await action();
      } catch (error) {
        if (error instanceof UserError || error instanceof Refusal) throw error;
        if (progress() > before) {
          before = progress();
          deadline = performance.now() + this.#patienceMs;
          waitMs = FIRST_WAIT_MS;
        }
        if (performance.now() + waitMs > deadline)
          throw new UserError(`${this.#place.label} can't be reached (${(error as Error).message})`, {
            remedy: "Check AWS_ENDPOINT_URL, AWS_REGION and the network.",
          });
        await sleep(waitMs);
      }
    }
  }

  /** The answer, if it is a good one. What may be otherwise the next time is a plain error. */
  async #ask(method: string, name: string, { headers = {}, body, url }: Ask = {}): Promise<IncomingMessage> {
    const { urlOf, region, accessKeyId, secretAccessKey, sessionToken, label } = this.#place;
    const keys = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
    const signed = await new AwsV4Signer({
      method,
      url: url ?? urlOf(name),
      headers,
      region,
      service: "s3",
      ...keys,
    }).sign();
    const answer = await send(method, signed, body);
    const status = answer.statusCode ?? 0;
    if (status >= 200 && status < 300) return answer;
    const text = await readShort(answer);
    // A server that refuses need not take the rest of what is sent.
    answer.destroy();
    const code = /<Code>([\w.-]+)<\/Code>/.exec(text)?.[1] ?? "";
    const told = [status, code].filter(Boolean).join(" ");
    if (status >= 500 || status === 429 || code === "RequestTimeout" || code === "SlowDown")
      throw new Error(told);
    if (status === 404 && code !== "NoSuchBucket" && method !== "PUT")
      throw new Refusal("content", `${name} is not in ${label}`);
    throw new UserError(`${label} refused ${method} (${told})`, {
      remedy: "Check the bucket's name and what the keys of this machine may do.",
    });
  }
}

/** Kept open between requests: a server that refuses and closes at once may lose its answer on the way. */
const AGENTS = { "http:": new HttpAgent({ keepAlive: true }), "https:": new HttpsAgent({ keepAlive: true }) };

function send(
  method: string,
  { url, headers }: { url: URL; headers: Headers },
  body: (() => Readable) | undefined,
) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const isSecure = url.protocol === "https:";
    const options = {
      method,
      headers: Object.fromEntries(headers),
      agent: AGENTS[isSecure ? "https:" : "http:"],
    };
    const sent = (isSecure ? httpsRequest : httpRequest)(url, options, resolve);
    sent.setTimeout(IDLE_MS, () => sent.destroy(new Error(`nothing moved for ${IDLE_MS / 1000} s`)));
    sent.on("error", reject);
    if (!body) return sent.end();
    const content = body();
    content.on("error", (error) => sent.destroy(error));
    sent.on("close", () => content.destroy());
    // A large body is sent when the server wants it, or does not know that it was asked.
    const begin = () => {
      clearTimeout(timer);
      if (!content.destroyed && !content.readableFlowing) content.pipe(sent);
    };
    const timer = setTimeout(begin, NO_CONTINUE_MS);
    sent
      .on("continue", begin)
      .on("response", () => clearTimeout(timer))
      .on("close", () => clearTimeout(timer));
    sent.flushHeaders();
  });
}

function unescapeXml(text: string): string {
  const letters: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return text.replaceAll(/&(\w+);/g, (whole, name: string) => letters[name] ?? whole);
}

async function drain(answer: IncomingMessage): Promise<void> {
  for await (const _ of answer);
}

async function readShort(answer: IncomingMessage): Promise<string> {
  let text = "";
  try {
    for await (const piece of answer) {
      text += String(piece);
      if (text.length > MOST_ERROR_BYTES) break;
    }
  } catch {
    // It was cut; the status has been heard.
  }
  return text;
}
