/** A value of a flatbuffer: a number of so many bytes, a text, a table, a list of tables, or a list of structs of 8-byte words. */
export type Flat =
  | readonly [1 | 2 | 4 | 8, number]
  | string
  | { table: readonly (Flat | undefined)[] }
  | { tables: readonly { table: readonly (Flat | undefined)[] }[] }
  | { structs: readonly (readonly number[])[] };

type Table = Extract<Flat, { table: unknown }>;

/** Encodes a table and what hangs on it, the fields by their place in the schema; what is undefined is left out. */
export function flatbuffer(root: Table): Buffer {
  return new Writer().write(root);
}

/** From the front: what a table points at stands behind it, so every offset is positive, as the format wants it. */
class Writer {
  #bytes = Buffer.alloc(1024);
  #end = 4;

  write(root: Table): Buffer {
    this.#point(0, this.#table(root));
    this.#align(8);
    return this.#bytes.subarray(0, this.#end);
  }

  #table({ table: fields }: Table): number {
    const sizes = fields.map((field) => (field === undefined ? 0 : isNumber(field) ? field[0] : 4));
    let size = 4;
    const offsets = sizes.map((bytes) => {
      if (bytes === 0) return 0;
      const at = roundUp(size, bytes);
      size = at + bytes;
      return at;
    });
    const schema = this.#take(4 + 2 * fields.length, 2);
    for (const [i, value] of [4 + 2 * fields.length, size, ...offsets].entries())
      this.#bytes.writeUInt16LE(value, schema + 2 * i);
    const start = this.#take(size, 8);
    this.#bytes.writeInt32LE(start - schema, start);
    for (const [i, field] of fields.entries()) {
      if (field === undefined) continue;
      const at = start + offsets[i]!;
      if (isNumber(field)) this.#number(at, field);
      else this.#point(at, this.#child(field));
    }
    return start;
  }

  #child(value: Exclude<Flat, readonly [number, number]>): number {
    if (typeof value === "string") {
      const bytes = Buffer.from(value);
      const start = this.#take(4 + bytes.length + 1, 4);
      this.#bytes.writeUInt32LE(bytes.length, start);
      bytes.copy(this.#bytes, start + 4);
      return start;
    }
    if ("table" in value) return this.#table(value);
    if ("tables" in value) {
      const start = this.#take(4 + 4 * value.tables.length, 4);
      this.#bytes.writeUInt32LE(value.tables.length, start);
      for (const [i, table] of value.tables.entries()) this.#point(start + 4 + 4 * i, this.#table(table));
      return start;
    }
    const words = value.structs.flat();
    // Their first word, not the count before it, is aligned.
    const start = this.#take(4 + 4 + 8 * words.length, 8) + 4;
    this.#bytes.writeUInt32LE(value.structs.length, start);
    for (const [i, word] of words.entries()) this.#number(start + 4 + 8 * i, [8, word]);
    return start;
  }

  #number(at: number, [bytes, value]: readonly [number, number]): void {
    if (bytes === 8) this.#bytes.writeBigInt64LE(BigInt(value), at);
    else this.#bytes.writeIntLE(value, at, bytes);
  }

  #point(from: number, to: number): void {
    this.#bytes.writeUInt32LE(to - from, from);
  }

  /** So many bytes of zeros. */
  #take(bytes: number, alignment: number): number {
    this.#align(alignment);
    const start = this.#end;
    this.#end += bytes;
    while (this.#end + 8 > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length)]);
    return start;
  }

  #align(alignment: number): void {
    this.#end = roundUp(this.#end, alignment);
  }
}

const isNumber = (field: Flat): field is readonly [1 | 2 | 4 | 8, number] => Array.isArray(field);

export function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}
