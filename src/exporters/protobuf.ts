/** A field of a message: its number, and a text, a whole number, a truth or a message. What is undefined is left out. */
export type ProtoField = readonly [number, string | number | boolean | Uint8Array | undefined];

const VARINT = 0;
const BYTES = 2;

/** Encodes a message of Protocol Buffers. Whole numbers are of the kinds that are written as they are (int32, int64, bool). */
export function protobuf(...fields: readonly ProtoField[]): Buffer {
  const parts: Uint8Array[] = [];
  for (const [number, value] of fields) {
    if (value === undefined) continue;
    if (typeof value === "number" || typeof value === "boolean") {
      parts.push(varint((number << 3) | VARINT), varint(Number(value)));
    } else {
      const bytes = typeof value === "string" ? Buffer.from(value) : value;
      parts.push(varint((number << 3) | BYTES), varint(bytes.length), bytes);
    }
  }
  return Buffer.concat(parts);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, BigInt(value));
  while (left > 0x7fn) {
    bytes.push(Number(left & 0x7fn) | 0x80);
    left >>= 7n;
  }
  return Uint8Array.from([...bytes, Number(left)]);
}
