import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { createWriteStream, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { errorCode, errorText } from "../../core/errors.ts";
import { Refusal } from "../envelope.ts";
import { safePath } from "../safe-path.ts";

/** One file of a run's folder. Links and devices are not sent: they mean nothing elsewhere. */
export interface Entry {
  path: string;
  bytes: number;
}

/** A file that stays behind. One odd file is no reason to lose the others. */
export interface Omitted extends Entry {
  why: string;
}

export interface ArchiveFacts {
  sha256: string;
  bytes: number;
}

const MOST_HEADER_BYTES = 64 * 1024;
const PIECE_BYTES = 64 * 1024;

/** All files below a folder, in a fixed order, and what can't be sent from there. */
export function listEntries(dir: string): { entries: Entry[]; omitted: Omitted[] } {
  const entries: Entry[] = [];
  const omitted: Omitted[] = [];
  const list = (below: string): void => {
    // As bytes: a name that is not UTF-8 would become another one.
    const found = readdirSync(`${dir}/${below}`, { withFileTypes: true, encoding: "buffer" });
    const named = found.map((entry) => ({ entry, raw: entry.name as unknown as Buffer }));
    for (const { entry, raw } of named.sort((a, b) => Buffer.compare(a.raw, b.raw))) {
      const path = below + raw.toString();
      if (!entry.isDirectory() && !entry.isFile()) continue;
      try {
        if (!isUtf8(raw)) {
          const bytes = entry.isFile()
            ? lstatSync(Buffer.concat([Buffer.from(`${dir}/${below}`), raw])).size
            : 0;
          omitted.push({ path, bytes, why: `its name is not UTF-8: ${escapeBytes(raw)}` });
        } else if (entry.isDirectory()) list(`${path}/`);
        else entries.push({ path, bytes: lstatSync(`${dir}/${path}`).size });
      } catch (error) {
        omitted.push({ path, bytes: 0, why: unreadable(error) });
      }
    }
  };
  list("");
  return { entries, omitted };
}

function escapeBytes(name: Buffer): string {
  return name
    .toString("latin1")
    .replace(/[^\x20-\x7e]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

export function unreadable(error: unknown): string {
  return `it can't be read (${errorCode(error) ?? errorText(error)})`;
}

/**
 * Writes files into one compressed archive: of each a line of JSON, then its bytes. Gives undefined as soon as the
 * archive is larger than `mostBytes`.
 */
export async function packArchive(
  dir: string,
  entries: readonly Entry[],
  { archive, mostBytes = Number.POSITIVE_INFINITY }: { archive: string; mostBytes?: number },
): Promise<{ facts: ArchiveFacts; omitted: Omitted[] } | undefined> {
  const hash = createHash("sha256");
  const omitted: Omitted[] = [];
  let bytes = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      if (bytes > mostBytes) done(new Error("the archive is too large"));
      else done(null, chunk);
    },
  });
  try {
    await pipeline(
      Readable.from(contents(dir, entries, omitted)),
      createGzip({ level: 4 }),
      meter,
      createWriteStream(archive),
    );
  } catch (error) {
    if (bytes > mostBytes) return undefined;
    throw error;
  }
  return { facts: { sha256: hash.digest("hex"), bytes }, omitted };
}

async function* contents(dir: string, entries: readonly Entry[], omitted: Omitted[]): AsyncGenerator<Buffer> {
  for (const entry of entries) {
    let file: FileHandle | undefined;
    try {
      file = await open(`${dir}/${entry.path}`);
      yield* contentOf(entry.path, file);
    } catch (error) {
      omitted.push({ ...entry, why: unreadable(error) });
    } finally {
      await file?.close();
    }
  }
}

/** Exactly as many bytes as its line says, also of a file that somebody still writes to or cuts. */
async function* contentOf(path: string, file: FileHandle): AsyncGenerator<Buffer> {
  const { size } = await file.stat();
  // A file that can't be read has no line.
  let piece = await readPiece(file, Math.min(size, PIECE_BYTES));
  yield Buffer.from(`${JSON.stringify({ path, bytes: size } satisfies Entry)}\n`);
  let problem: unknown;
  for (let left = size; left > 0; ) {
    yield piece;
    left -= piece.length;
    const bytes = Math.min(left, PIECE_BYTES);
    piece = await readPiece(file, bytes).catch((error) => {
      problem ??= error;
      return Buffer.alloc(bytes);
    });
  }
  if (problem !== undefined) throw problem;
}

/** What the file has no more is zeros. */
async function readPiece(file: FileHandle, bytes: number): Promise<Buffer> {
  const piece = Buffer.alloc(bytes);
  for (let have = 0; have < bytes; ) {
    const { bytesRead } = await file.read(piece, have, bytes - have);
    if (bytesRead === 0) break;
    have += bytesRead;
  }
  return piece;
}

/** Unpacks what packArchive made, as it comes. A path that leaves the folder is refused. */
export async function unpackArchive(archive: Readable, dir: string): Promise<void> {
  mkdirSync(dir, { recursive: true });
  const reader = new PieceReader(archive.pipe(createGunzip()).on("error", () => {}));
  archive.on("error", (error) => reader.fail(error));
  for (;;) {
    const line = await reader.line();
    if (line === undefined) return;
    const { path, bytes } = JSON.parse(line.toString()) as Entry;
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

  /** Undefined where the stream ends. */
  async line(): Promise<Buffer | undefined> {
    for (;;) {
      const end = this.#rest.indexOf(10);
      if (end >= 0) {
        const line = this.#rest.subarray(0, end);
        this.#rest = this.#rest.subarray(end + 1);
        return line;
      }
      if (this.#rest.length > MOST_HEADER_BYTES)
        throw new Refusal("content", "the name of a file has no end");
      const more = await this.#next();
      if (more === undefined) {
        if (this.#rest.length > 0) throw new Refusal("content", "its files end too early");
        return undefined;
      }
      this.#rest = Buffer.concat([this.#rest, more]);
    }
  }

  async *take(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0; ) {
      if (this.#rest.length === 0) {
        const more = await this.#next();
        if (more === undefined) throw new Refusal("content", "its files end too early");
        this.#rest = more;
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  async #next(): Promise<Buffer | undefined> {
    const { value, done } = await this.#chunks.next();
    return done ? undefined : value;
  }
}
