import { spawnSync } from "node:child_process";
import { closeSync, fstatSync, readSync } from "node:fs";
import * as zlib from "node:zlib";
import { errorText } from "../../core/errors.ts";
import { openResults } from "./found-file.ts";
import { BrokenImport } from "./import-reader.ts";

/** The end of a zip's table of contents, with the longest comment that a zip may have. */
const MOST_END_BYTES = 22 + 65_535;
const MOST_MEMBER_BYTES = 400_000_000;
const END = 0x06054b50;
const END_64 = 0x06064b50;
const END_64_LOCATOR = 0x07064b50;
const ENTRY = 0x02014b50;
const FULL_32 = 0xffffffff;

interface Member {
  method: number;
  packedBytes: number;
  bytes: number;
  offset: number;
}

/** A zip file of which single members are read: nothing else of it comes into memory. */
export class ZipReader {
  readonly #file: number;
  readonly #members: Map<string, Member>;

  constructor(path: string) {
    this.#file = openResults(path);
    try {
      this.#members = readContents(this.#file);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** In the order of the file; of a name that comes twice, the last. */
  names(): string[] {
    return [...this.#members.keys()];
  }

  read(name: string): string {
    const member = this.#members.get(name);
    if (!member) throw new BrokenImport(`there is no ${name} in the file`);
    if (member.bytes > MOST_MEMBER_BYTES)
      throw new BrokenImport(
        `${name} has ${Math.round(member.bytes / 1e6)} MB, which is too much to be read`,
      );
    // Only the table tells the sizes for sure; a member's own header may leave them open.
    const header = readAt(this.#file, member.offset, 30);
    const start = member.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
    const packed = readAt(this.#file, start, member.packedBytes);
    return decompress(packed, { method: member.method, bytes: member.bytes }).toString("utf8");
  }

  close(): void {
    closeSync(this.#file);
  }
}

function readContents(file: number): Map<string, Member> {
  const { size } = fstatSync(file);
  const tail = readAt(file, Math.max(0, size - MOST_END_BYTES), Math.min(size, MOST_END_BYTES));
  const end = lastEnd(tail);
  if (end < 0) throw new BrokenImport("no whole zip file: it looks cut off");
  const table = tableOf(file, tail, end);
  const bytes = readAt(file, table.offset, table.bytes);
  const members = new Map<string, Member>();
  for (let at = 0; at + 46 <= bytes.length && bytes.readUInt32LE(at) === ENTRY; ) {
    const lengths = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place));
    const [name, extra, comment] = lengths as [number, number, number];
    members.set(bytes.toString("utf8", at + 46, at + 46 + name), memberAt(bytes, at, { name, extra }));
    at += 46 + name + extra + comment;
  }
  return members;
}

/** A record that says of itself that it reaches to the end: a comment may hold anything. */
function lastEnd(tail: Buffer): number {
  for (let at = tail.length - 22; at >= 0; at--) {
    if (tail.readUInt32LE(at) === END && at + 22 + tail.readUInt16LE(at + 20) === tail.length) return at;
  }
  return -1;
}

function tableOf(file: number, tail: Buffer, end: number): { bytes: number; offset: number } {
  const offset = tail.readUInt32LE(end + 16);
  const isLong = end >= 20 && tail.readUInt32LE(end - 20) === END_64_LOCATOR;
  if (!isLong) return { bytes: tail.readUInt32LE(end + 12), offset };
  const record = readAt(file, Number(tail.readBigUInt64LE(end - 12)), 56);
  if (record.readUInt32LE(0) !== END_64) throw new BrokenImport("the zip file's table of contents is broken");
  return { bytes: Number(record.readBigUInt64LE(40)), offset: Number(record.readBigUInt64LE(48)) };
}

/** Numbers beyond 32 bits stand in an extra field, those of them that need it, in this order. */
function memberAt(table: Buffer, at: number, { name, extra }: { name: number; extra: number }): Member {
  const fields = { bytes: 24, packedBytes: 20, offset: 42 } as const;
  const long = longField(table.subarray(at + 46 + name, at + 46 + name + extra));
  let place = 0;
  const number = (offset: number) => {
    const short = table.readUInt32LE(at + offset);
    if (short !== FULL_32 || !long || place + 8 > long.length) return short;
    place += 8;
    return Number(long.readBigUInt64LE(place - 8));
  };
  const bytes = number(fields.bytes);
  const packedBytes = number(fields.packedBytes);
  return { method: table.readUInt16LE(at + 10), bytes, packedBytes, offset: number(fields.offset) };
}

function longField(extra: Buffer): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === 1) return extra.subarray(at + 4, at + 4 + length);
    at += 4 + length;
  }
  return undefined;
}

function readAt(file: number, offset: number, length: number): Buffer {
  if (offset + length > fstatSync(file).size) throw new BrokenImport("the zip file ends too early");
  const bytes = Buffer.alloc(length);
  readSync(file, bytes, 0, length, offset);
  return bytes;
}

const STORED = 0;
const DEFLATE = 8;
const ZSTANDARD = 93;

/** What a member of a zip holds. `bytes` is how much that is, so that a file can't fill the memory. */
function decompress(packed: Buffer, { method, bytes }: { method: number; bytes: number }): Buffer {
  try {
    if (method === STORED) return packed;
    if (method === DEFLATE) return zlib.inflateRawSync(packed, { maxOutputLength: Math.max(1, bytes) });
    if (method === ZSTANDARD) return unzstd(packed, bytes);
  } catch (error) {
    if (error instanceof BrokenImport) throw error;
    throw new BrokenImport(`a member of the zip file is broken: ${errorText(error)}`);
  }
  throw new BrokenImport(`a member of the zip file is packed in a way that is not known (method ${method})`);
}

/** Node has it from 22.15 on; before that the program of the same name does it. */
function unzstd(packed: Buffer, bytes: number): Buffer {
  const { zstdDecompressSync } = zlib as {
    zstdDecompressSync?: (packed: Buffer, options: { maxOutputLength: number }) => Buffer;
  };
  if (zstdDecompressSync) return zstdDecompressSync(packed, { maxOutputLength: Math.max(1, bytes) });
  const { stdout, status, error } = spawnSync("zstd", ["-dcq"], { input: packed, maxBuffer: bytes + 1 });
  if (error && "code" in error && error.code === "ENOENT")
    throw new BrokenImport(
      "it is packed with Zstandard, which needs Node 22.15 or the program zstd (Debian: apt install zstd)",
    );
  if (error || status !== 0)
    throw new BrokenImport("a member of the zip file is broken: zstd can't unpack it");
  return stdout;
}
