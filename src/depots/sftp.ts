import { type ChildProcess, spawn } from "node:child_process";

const INIT = 1;
export const SFTP = {
  open: 3,
  close: 4,
  read: 5,
  write: 6,
  openFolder: 11,
  readFolder: 12,
  remove: 13,
  makeFolder: 14,
  stat: 17,
  rename: 18,
  extended: 200,
} as const;
const STATUS = 101;
export const NO_SUCH_FILE = 2;
const END_OF_FILE = 1;
const MOST_STDERR = 2000;

/** What the server refused, by the number that the protocol has for it. */
export class SftpError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message || `status ${code}`);
    this.code = code;
  }
}

/**
 * The file transfer protocol of SSH, version 3 (draft-ietf-secsh-filexfer-02), spoken through the system's own `ssh`:
 * its keys, its agent and its settings hold. Many requests may be under way at once.
 */
export class Sftp {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>();
  #next = 0;
  #rest: Buffer = Buffer.alloc(0);
  #stderr = "";
  #failure: Error | undefined;

  constructor(argv: readonly string[]) {
    this.#child = spawn(argv[0]!, argv.slice(1), { stdio: ["pipe", "pipe", "pipe"] });
    this.#child.stdout!.on("data", (chunk: Buffer) => this.#take(chunk));
    this.#child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-MOST_STDERR);
    });
    this.#child.stdin!.on("error", () => {});
    this.#child.on("error", (error) => this.#fail(error.message));
    this.#child.on("close", (code) => this.#fail(this.#stderr.trim() || `exit ${code}`));
  }

  /** Agrees on the version; without it, nothing is answered. */
  async greet(): Promise<void> {
    await this.#send(Buffer.concat([Buffer.from([INIT]), number32(3)]), VERSION_ID);
  }

  /** Parts are texts, bytes or numbers of 32 bits, or of 64 as bigint. */
  async ask(kind: number, ...parts: Part[]): Promise<Answer> {
    const id = this.#next++;
    const answer = await this.#send(
      Buffer.concat([Buffer.from([kind]), number32(id), ...parts.map(encode)]),
      id,
    );
    if (answer.kind !== STATUS) return answer;
    const code = answer.number();
    if (code === 0) return answer;
    throw new SftpError(code, answer.text());
  }

  /** Undefined where there is no more. */
  async askOrEnd(kind: number, ...parts: Part[]): Promise<Answer | undefined> {
    try {
      return await this.ask(kind, ...parts);
    } catch (error) {
      if (error instanceof SftpError && error.code === END_OF_FILE) return undefined;
      throw error;
    }
  }

  close(): void {
    this.#failure ??= new Error("the connection is closed");
    this.#child.kill();
  }

  #send(packet: Buffer, id: number): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      this.#waiting.set(id, { resolve, reject });
      this.#child.stdin!.write(Buffer.concat([number32(packet.length), packet]));
    });
  }

  #take(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= 4) {
      const end = 4 + this.#rest.readUInt32BE(0);
      if (this.#rest.length < end) return;
      const packet = this.#rest.subarray(4, end);
      this.#rest = this.#rest.subarray(end);
      const kind = packet[0]!;
      const isVersion = kind === VERSION_KIND;
      const id = isVersion ? VERSION_ID : packet.readUInt32BE(1);
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      waiting?.resolve(new Answer(kind, packet.subarray(isVersion ? 1 : 5)));
    }
  }

  #fail(message: string): void {
    this.#failure ??= new Error(message);
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }
}

const VERSION_KIND = 2;
/** The greeting has no number of its own. */
const VERSION_ID = -1;

type Part = string | Buffer | number | bigint;

function encode(part: Part): Buffer {
  if (typeof part === "number") return number32(part);
  if (typeof part === "bigint") {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(part);
    return bytes;
  }
  const bytes = typeof part === "string" ? Buffer.from(part) : part;
  return Buffer.concat([number32(bytes.length), bytes]);
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Reads an answer part by part. */
class Answer {
  readonly kind: number;
  readonly #body: Buffer;
  #at = 0;

  constructor(kind: number, body: Buffer) {
    this.kind = kind;
    this.#body = body;
  }

  number(): number {
    this.#at += 4;
    return this.#body.readUInt32BE(this.#at - 4);
  }

  bytes(): Buffer {
    const length = this.number();
    this.#at += length;
    return this.#body.subarray(this.#at - length, this.#at);
  }

  text(): string {
    return this.bytes().toString();
  }

  /** What the protocol calls attributes: size and kind of a file, where the server tells. */
  attributes(): { bytes: number | undefined; isFolder: boolean } {
    const flags = this.number();
    let bytes: number | undefined;
    let mode = 0;
    if (flags & 1) {
      bytes = Number(this.#body.readBigUInt64BE(this.#at));
      this.#at += 8;
    }
    if (flags & 2) this.#at += 8;
    if (flags & 4) mode = this.number();
    if (flags & 8) this.#at += 8;
    if (flags & 0x80000000) for (let left = this.number(); left > 0; left--) [this.bytes(), this.bytes()];
    return { bytes, isFolder: (mode & 0o170000) === 0o040000 };
  }
}
