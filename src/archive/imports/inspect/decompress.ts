import { spawnSync } from "node:child_process";
import * as zlib from "node:zlib";
import { errorText } from "../../../core/errors.ts";
import { BrokenImport } from "../import-reader.ts";

const STORED = 0;
const DEFLATE = 8;
const ZSTANDARD = 93;

/** What a member of a zip holds. `bytes` is how much that is, so that a file can't fill the memory. */
export function decompress(packed: Buffer, { method, bytes }: { method: number; bytes: number }): Buffer {
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
