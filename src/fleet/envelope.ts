import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { PROGRAM_VERSION } from "../host/package.ts";

/** Raised when messages change so that an older worker would misread them. */
export const PROTOCOL = 2;

/** What travels through the queue: readable only to those who trust the signature. */
export interface Envelope {
  protocol: number;
  program: string;
  payload: string;
  signature: string;
}

/** What a message is: part of what is signed, so that none can be taken for another. */
export type Kind = "fleet" | "study" | "chunk" | "results";

interface Payload<T> {
  study: string;
  expiresAtMs: number;
  nonce: string;
  body: T;
}

export interface Opened<T> {
  study: string;
  nonce: string;
  body: T;
}

/** A message that is not to be trusted or not to be understood, and why. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly why: "signature" | "version" | "expired" | "path" | "content";

  constructor(why: Refusal["why"], message: string) {
    super(message);
    this.why = why;
  }
}

/** Long enough for any backlog: its coordinator may be away meanwhile. */
const LIFE_MS = 30 * 24 * 3600 * 1000;

export function seal(
  kind: Kind,
  body: unknown,
  { key, study, program = PROGRAM_VERSION }: { key: string; study: string; program?: string },
): Envelope {
  const content: Payload<unknown> = { study, expiresAtMs: Date.now() + LIFE_MS, nonce: randomUUID(), body };
  const payload = JSON.stringify(content);
  const head = { protocol: PROTOCOL, program, payload };
  return { ...head, signature: sign(kind, head, key) };
}

/**
 * What a message says, when it is signed by one who has the key, of this version, and of this time. The envelope and
 * its signature stay the same in all versions, so that a stranger can't pass for another version.
 */
export function open<T>(kind: Kind, envelope: Envelope, key: string): Opened<T> {
  if (!isSigned(kind, envelope, key)) throw new Refusal("signature", "its signature is not of this fleet");
  const { protocol, program } = envelope;
  if (protocol !== PROTOCOL || program !== PROGRAM_VERSION)
    throw new Refusal("version", `a study is run by Assay ${program}, and this is ${PROGRAM_VERSION}`);
  const { study, expiresAtMs, nonce, body } = JSON.parse(envelope.payload) as Payload<T>;
  if (Date.now() > expiresAtMs) throw new Refusal("expired", "it is older than 30 days");
  return { study, nonce, body };
}

/** Tells two fleets with different keys apart, without telling the key. */
export function keyProof(key: string): string {
  return createHmac("sha256", key).update("assay-fleet\nproof").digest("hex");
}

function isSigned(kind: Kind, envelope: Envelope, key: string): boolean {
  if (typeof envelope?.payload !== "string" || typeof envelope.signature !== "string") return false;
  const expected = Buffer.from(sign(kind, envelope, key), "hex");
  const got = Buffer.from(envelope.signature, "hex");
  return got.length === expected.length && timingSafeEqual(got, expected);
}

function sign(kind: Kind, { protocol, program, payload }: Omit<Envelope, "signature">, key: string): string {
  return createHmac("sha256", key)
    .update(`assay-fleet\n${protocol}\n${program}\n${kind}\n`)
    .update(payload)
    .digest("hex");
}
