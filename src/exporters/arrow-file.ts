import { type Flat, flatbuffer, roundUp } from "./flatbuffer.ts";

/** What a column can hold; everything may be unknown. */
export type ArrowType = "int64" | "float64" | "bool" | "utf8";

export interface ArrowColumn {
  name: string;
  type: ArrowType;
}

// Numbers of the format (Schema.fbs, Message.fbs, File.fbs of Apache Arrow).
const VERSION: Flat = [2, 4];
const TYPES: Record<ArrowType, { kind: number; detail: (Flat | undefined)[] }> = {
  int64: {
    kind: 2,
    detail: [
      [4, 64],
      [1, 1],
    ],
  },
  float64: { kind: 3, detail: [[2, 2]] },
  utf8: { kind: 5, detail: [] },
  bool: { kind: 6, detail: [] },
};
const HEADER = { schema: 1, batch: 3 };
const MAGIC = "ARROW1";

/** Writes a table in Arrow's file format, which is also Feather, version 2: a batch of rows at a time, uncompressed. */
export class ArrowFile {
  readonly #write: (bytes: Uint8Array) => void;
  readonly #columns: readonly ArrowColumn[];
  readonly #blocks: [number, number, number][] = [];
  #position = 0;

  constructor(columns: readonly ArrowColumn[], write: (bytes: Uint8Array) => void) {
    this.#columns = columns;
    this.#write = write;
    this.#put(Buffer.from(`${MAGIC}\0\0`));
    this.#message(HEADER.schema, this.#schema());
  }

  /** The values of each column, as DuckDB has them: whole numbers are bigint, what is unknown is null. */
  batch(columns: readonly (readonly unknown[])[], rows: number): void {
    const nodes: number[][] = [];
    const buffers: number[][] = [];
    const body: Uint8Array[] = [];
    let length = 0;
    for (const [i, { type }] of this.#columns.entries()) {
      const values = columns[i]!;
      const unknown = values.reduce((count: number, value) => count + (value === null ? 1 : 0), 0);
      nodes.push([rows, unknown]);
      const isKnown = unknown === 0 ? new Uint8Array() : bits(values, (value) => value !== null);
      for (const bytes of [isKnown, ...ENCODE[type](values)]) {
        buffers.push([length, bytes.length]);
        body.push(bytes, new Uint8Array(roundUp(bytes.length, 8) - bytes.length));
        length = roundUp(length + bytes.length, 8);
      }
    }
    const start = this.#position;
    const batch: Flat = { table: [[8, rows], { structs: nodes }, { structs: buffers }] };
    this.#message(HEADER.batch, batch, length);
    // A block is told by where it starts, the length of its message (an int32 and as much padding) and that of its body.
    this.#blocks.push([start, this.#position - start, length]);
    for (const bytes of body) this.#put(bytes);
  }

  end(): void {
    this.#put(Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0));
    const footer = flatbuffer({
      table: [VERSION, this.#schema(), { structs: [] }, { structs: this.#blocks }],
    });
    this.#put(footer);
    this.#put(int32(footer.length));
    this.#put(Buffer.from(MAGIC));
  }

  #schema(): Extract<Flat, { table: unknown }> {
    const fields = this.#columns.map(({ name, type }) => {
      const { kind, detail } = TYPES[type];
      return { table: [name, [1, 1], [1, kind], { table: detail }, undefined, { tables: [] }] as Flat[] };
    });
    return { table: [[2, 0], { tables: fields }] };
  }

  #message(kind: number, header: Flat, bodyLength = 0): void {
    const metadata = flatbuffer({ table: [VERSION, [1, kind], header, [8, bodyLength]] });
    this.#put(Uint8Array.of(255, 255, 255, 255));
    this.#put(int32(metadata.length));
    this.#put(metadata);
  }

  #put(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#write(bytes);
    this.#position += bytes.length;
  }
}

type Values = readonly unknown[];

const ENCODE: Record<ArrowType, (values: Values) => Uint8Array[]> = {
  int64: (values) => [bytesOf(BigInt64Array.from(values as (bigint | null)[], (value) => value ?? 0n))],
  float64: (values) => [bytesOf(Float64Array.from(values as (number | null)[], (value) => value ?? 0))],
  bool: (values) => [bits(values, (value) => value === true)],
  utf8: (values) => {
    const texts = values.map((value) => (value === null ? "" : String(value)));
    const offsets = new Int32Array(texts.length + 1);
    let length = 0;
    for (const [i, text] of texts.entries()) {
      length += Buffer.byteLength(text);
      offsets[i + 1] = length;
    }
    return [bytesOf(offsets), Buffer.from(texts.join(""))];
  },
};

/** One bit for each, the lowest first. */
function bits(values: Values, isSet: (value: unknown) => boolean): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(values.length / 8));
  for (let i = 0; i < values.length; i++) if (isSet(values[i])) bytes[i >> 3]! |= 1 << (i & 7);
  return bytes;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function int32(value: number): Uint8Array {
  return bytesOf(Int32Array.of(value));
}
