import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { Refusal } from "../envelope.ts";
import { safePath } from "../safe-path.ts";

/** One file of a run's folder. Links and devices are not sent: they mean nothing elsewhere. */
export interface Entry {
  path: string;
  bytes: number;
}

export interface ArchiveFacts {
  sha256: string;
  bytes: number;
}

const MOST_HEADER_BYTES = 16 * 1024 * 1024;

/** All files below a folder, in a fixed order. */
export function listEntries(dir: string, below = ""): Entry[] {
  return readdirSync(`${dir}/${below}`, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = below + entry.name;
      if (entry.isDirectory()) return listEntries(dir, `${path}/`);
      return entry.isFile() ? [{ path, bytes: lstatSync(`${dir}/${path}`).size }] : [];
    });
}

/** Writes files into one compressed archive: a line of JSON that lists them, then their bytes one after the other. */
export async function packArchive(
  dir: string,
  entries: readonly Entry[],
  archive: string,
): Promise<ArchiveFacts> {
  const hash = createHash("sha256");
  let bytes = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(
    Readable.from(contents(dir, entries)),
    createGzip({ level: 4 }),
    meter,
    createWriteStream(archive),
  );
  return { sha256: hash.digest("hex"), bytes };
}

async function* contents(dir: string, entries: readonly Entry[]): AsyncGenerator<Buffer> {
  yield Buffer.from(`${JSON.stringify(entries)}\n`);
  for (const { path, bytes } of entries) {
    if (bytes === 0) continue;
    // Exactly as many bytes as were listed, also of a file that somebody still writes to.
    let left = bytes;
    for await (const chunk of createReadStream(`${dir}/${path}`, { end: bytes - 1 })) {
      left -= (chunk as Buffer).length;
      yield chunk as Buffer;
    }
    if (left > 0) yield Buffer.alloc(left);
  }
}

/** Unpacks what packArchive made, as it comes. A path that leaves the folder is refused. */
export async function unpackArchive(archive: Readable, dir: string): Promise<void> {
  mkdirSync(dir, { recursive: true });
  const reader = new PieceReader(archive.pipe(createGunzip()).on("error", () => {}));
  archive.on("error", (error) => reader.fail(error));
  const entries = JSON.parse((await reader.line()).toString()) as Entry[];
  for (const { path, bytes } of entries) {
    const full = safePath(dir, path);
    mkdirSync(dirname(full), { recursive: true });
    const file = await open(full, "wx");
    try {
      for await (const piece of reader.take(bytes)) await file.writeFile(piece);
    } finally {
      await file.close();
    }
  }
}

/** Reads a stream by counts of bytes. */
class PieceReader {
  readonly #stream: Readable;
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#stream = stream;
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  fail(error: Error): void {
    this.#stream.destroy(error);
  }

  async line(): Promise<Buffer> {
    for (;;) {
      const end = this.#rest.indexOf(10);
      if (end >= 0) {
        const line = this.#rest.subarray(0, end);
        this.#rest = this.#rest.subarray(end + 1);
        return line;
      }
      if (this.#rest.length > MOST_HEADER_BYTES) throw new Refusal("content", "its list of files has no end");
      this.#rest = Buffer.concat([this.#rest, await this.#next()]);
    }
  }

  async *take(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0; ) {
      if (this.#rest.length === 0) this.#rest = await this.#next();
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  async #next(): Promise<Buffer> {
    const { value, done } = await this.#chunks.next();
    if (done) throw new Refusal("content", "its files end too early");
    return value;
  }
}
