import { createHash } from "node:crypto";
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { errorText, UserError } from "../core/errors.ts";
import type { Redactor } from "../core/redact.ts";
import { readText } from "../host/files.ts";
import type { Exchange } from "./exchange.ts";
import type { Place } from "./normalise.ts";
import type { Json } from "./protocols/protocol.ts";

/** Whose traffic a recording is. */
export interface CassetteHead {
  agent: string;
  model: string;
  task: string;
  seed: number;
  repeat: number;
  /** Of a task that has several. */
  step?: string;
  /** Folders of the run that others have elsewhere. */
  places: Place[];
}

const FORMAT = 1;
/** Beyond this a text has no room in one string. */
const MOST_BYTES = 400_000_000;

/**
 * Writes a run's model traffic, one exchange per line. Each line carries a checksum over itself and all before it, and
 * the last says that it is the last: what was cut or edited is noticed. Agents send their whole conversation with every
 * call, so what a request has in common with earlier ones is written once.
 */
export class CassetteWriter {
  readonly #path: string;
  readonly #redactor: Redactor;
  readonly #known = new Set<string>();
  #sum = "";
  #calls = 0;

  constructor(path: string, head: CassetteHead, redactor: Redactor) {
    this.#path = path;
    this.#redactor = redactor;
    writeFileSync(path, "");
    this.#write({ assay_cassette: FORMAT, ...head });
  }

  add({ request, ...rest }: Exchange): void {
    const parts: Json = {};
    const packed = packRequest(request, (hash, value) => {
      if (!this.#known.has(hash)) parts[hash] = value;
      this.#known.add(hash);
    });
    this.#calls++;
    this.#write({ call: this.#calls, ...rest, request: packed, parts });
  }

  end(): void {
    this.#write({ end: this.#calls });
  }

  #write(line: Json): void {
    const text = this.#redactor.toJson(line);
    this.#sum = sumOf(this.#sum, text);
    appendFileSync(this.#path, `${this.#sum} ${text}\n`);
  }
}

function sumOf(before: string, text: string): string {
  return digest(`${before}\n${text}`);
}

const digest = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 32);

/** Shorter values are written where they are. */
const SHORTEST_PART = 200;
type Packed = Json | string | (string | Json)[];

/** A request whose long parts, and those of its lists, are told by their hashes. */
function packRequest(request: Json, keep: (hash: string, value: unknown) => void): Json {
  const pack = (value: unknown): unknown => {
    if ((JSON.stringify(value) ?? "").length < SHORTEST_PART) return { is: value };
    const hash = digest(JSON.stringify(value));
    keep(hash, value);
    return hash;
  };
  return Object.fromEntries(
    Object.entries(request).map(([key, value]) => [
      key,
      Array.isArray(value) ? value.map(pack) : pack(value),
    ]),
  );
}

function unpackRequest(packed: Json, parts: ReadonlyMap<string, unknown>): Json {
  const unpack = (value: unknown) =>
    typeof value === "string" ? parts.get(value) : (value as { is?: unknown }).is;
  const entries = Object.entries(packed as Record<string, Packed>);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, Array.isArray(value) ? value.map(unpack) : unpack(value)]),
  );
}

export interface Cassette {
  path: string;
  head: CassetteHead;
  exchanges: Exchange[];
}

/** A recording that is whole and as it was written; anything else is refused with the reason. */
export function readCassette(path: string): Cassette {
  const refuse = (why: string, line?: number): never => {
    throw new UserError(`the recording can't be replayed: ${why}`, {
      place: { file: path, ...(line !== undefined && { line }) },
      remedy: "Record it again.",
    });
  };
  if (!existsSync(path)) refuse("there is none");
  let text = "";
  try {
    text = readText(path, { mostBytes: MOST_BYTES });
  } catch (error) {
    refuse(errorText(error));
  }
  const lines = text.split("\n");
  const isCut = lines.pop() !== "";
  let sum = "";
  const values = lines.map((line, i): Json => {
    const [told, json] = [line.slice(0, 32), line.slice(33)];
    sum = sumOf(sum, json);
    if (told !== sum) refuse("it was edited, its checksum does not fit", i + 1);
    return JSON.parse(json) as Json;
  });
  const [head, ...calls] = values;
  if (head?.assay_cassette !== FORMAT)
    return refuse(`it is not a recording of this version of Assay (format ${FORMAT})`, 1);
  const end = calls.pop();
  if (isCut || end?.end !== calls.length) refuse("it was cut off, its end is missing", lines.length);
  const parts = new Map<string, unknown>();
  const exchanges = calls.map((call) => {
    for (const [hash, value] of Object.entries(call.parts as Json)) parts.set(hash, value);
    return { ...call, request: unpackRequest(call.request as Json, parts) } as unknown as Exchange;
  });
  return { path, head: head as unknown as CassetteHead, exchanges };
}

/** Whose recording it is, without reading all of it; undefined where it is none. */
export function readHead(path: string): CassetteHead | undefined {
  try {
    const [line = ""] = readText(path, { mostBytes: MOST_BYTES }).split("\n", 1);
    const head = JSON.parse(line.slice(33)) as Json;
    return head.assay_cassette === undefined ? undefined : (head as unknown as CassetteHead);
  } catch {
    return undefined;
  }
}
