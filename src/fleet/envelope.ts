import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  randomUUID,
  timingSafeEqual,
} from "node:crypto";
import { PROGRAM_VERSION } from "../host/environment.ts";

/**
 * Raised when messages change so that an older worker would misread them. Since 4, a study may have services, models and
 * plugins of all families, and says which version of a shipped target its runs are of. Versions of the package don't matter.
 */
export const PROTOCOL = 4;
/** What is read besides. A message is written in the oldest protocol that says all of it, so that older workers serve it. */
export const OLDEST_PROTOCOL = 3;
/** Programs of protocol 3 read nothing that doesn't name their own version, which is this for all of them. */
const LAST_OF_OLDEST = "0.2.0";

/** What travels through the queue: signed, and its body readable only to those who have the key. */
export interface Envelope {
  protocol: number;
  program: string;
  payload: string;
  signature: string;
}

/** What a message is: part of what is signed, so that none can be taken for another. */
export type Kind = "fleet" | "study" | "launch" | "chunk" | "results" | "state";

interface Payload {
  study: string;
  /** What it is about, for people who look at the queue without the key. */
  what?: string;
  expiresAtMs: number;
  nonce: string;
  /** Encrypted: parameters and environment variables may be secrets. */
  body: string;
}

interface Sealing {
  key: string;
  study: string;
  what?: string;
  program?: string;
  /** The oldest that says all of it. */
  protocol?: number;
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
  { key, study, what, program = PROGRAM_VERSION, protocol = OLDEST_PROTOCOL }: Sealing,
): Envelope {
  const content: Payload = {
    study,
    ...(what !== undefined && { what }),
    expiresAtMs: Date.now() + LIFE_MS,
    nonce: randomUUID(),
    body: encrypt(JSON.stringify(body), key),
  };
  const payload = JSON.stringify(content);
  const head = { protocol, program: protocol === OLDEST_PROTOCOL ? LAST_OF_OLDEST : program, payload };
  return { ...head, signature: sign(kind, head, key) };
}

/**
 * What a message says, when it is signed by one who has the key, in a protocol that is known, and of this time. The
 * envelope and its signature stay the same in all versions, so that a stranger can't pass for another version.
 */
export function open<T>(
  kind: Kind,
  envelope: Envelope,
  key: string,
  { newest = PROTOCOL, oldest = OLDEST_PROTOCOL } = {},
): Opened<T> {
  if (!isSigned(kind, envelope, key)) throw new Refusal("signature", "its signature is not of this fleet");
  const { protocol, program } = envelope;
  if (!(protocol >= oldest && protocol <= newest))
    throw new Refusal(
      "version",
      `it is run by Assay ${program}, which speaks protocol ${protocol} of the fleet, and this is ${PROGRAM_VERSION} with ${oldest} to ${newest}`,
    );
  const { study, expiresAtMs, nonce, body } = JSON.parse(envelope.payload) as Payload;
  if (Date.now() > expiresAtMs) throw new Refusal("expired", "it is older than 30 days");
  return { study, nonce, body: JSON.parse(decrypt(body, key)) as T };
}

/** What a message is about, for people to read: nobody has checked who signed it. */
export function describeEnvelope({ payload }: Envelope): { study: string; what: string } {
  const { study, what = "" } = JSON.parse(payload) as Payload;
  return { study: String(study), what: String(what) };
}

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

function encrypt(text: string, key: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, cipherKey(key), iv, { authTagLength: TAG_BYTES });
  const content = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), content]).toString("base64");
}

function decrypt(text: string, key: string): string {
  const bytes = Buffer.from(text, "base64");
  const decipher = createDecipheriv(CIPHER, cipherKey(key), bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const content = bytes.subarray(IV_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(content), decipher.final()]).toString("utf8");
}

const cipherKeys = new Map<string, Buffer>();

/** Another one than that of the signature, from the same secret. */
function cipherKey(key: string): Buffer {
  let known = cipherKeys.get(key);
  if (!known) {
    known = Buffer.from(hkdfSync("sha256", key, "", "assay-fleet body", 32));
    cipherKeys.set(key, known);
  }
  return known;
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
