import { spawnSync } from "node:child_process";
import { deflateRawSync } from "node:zlib";

const METHODS = { stored: 0, deflate: 8, zstd: 93 } as const;

/** A zip file of these members, as Inspect packs its logs. */
export function makeZip(members: Record<string, unknown>, how: keyof typeof METHODS): Buffer {
  const parts: Buffer[] = [];
  const table: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(members)) {
    const plain = Buffer.from(typeof content === "string" ? content : JSON.stringify(content));
    const packed = pack(plain, how);
    const sizes = [0, packed.length, plain.length];
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(METHODS[how], 8);
    for (const [i, size] of sizes.entries()) header.writeUInt32LE(size, 14 + 4 * i);
    header.writeUInt16LE(Buffer.byteLength(name), 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(METHODS[how], 10);
    for (const [i, size] of sizes.entries()) entry.writeUInt32LE(size, 16 + 4 * i);
    entry.writeUInt16LE(Buffer.byteLength(name), 28);
    entry.writeUInt32LE(offset, 42);
    parts.push(header, Buffer.from(name), packed);
    table.push(entry, Buffer.from(name));
    offset += 30 + Buffer.byteLength(name) + packed.length;
  }
  const contents = Buffer.concat(table);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(members).length, 8);
  end.writeUInt16LE(Object.keys(members).length, 10);
  end.writeUInt32LE(contents.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, contents, end]);
}

function pack(plain: Buffer, how: keyof typeof METHODS): Buffer {
  if (how === "stored") return plain;
  if (how === "deflate") return deflateRawSync(plain);
  const { stdout, status } = spawnSync("zstd", ["-cq"], { input: plain });
  if (status !== 0) throw new Error("zstd is not installed");
  return stdout;
}
