/**
 * The shape of a journal line: the bytes that stand between its values. Lines of one study nearly all share a
 * shape, so a line can be read by checking those bytes and noting where the values lie, several times faster
 * than parsing it. Whatever does not fit exactly is left to JSON.parse.
 */
export interface LineShape {
  /** literals[i] stands before value i; the last one ends the line. */
  literals: Uint8Array[];
  kinds: ("string" | "list" | "number" | "other")[];
}

/** A value's place in a shape: what a record holds where the shape has a value. */
export class Slot {
  constructor(readonly index: number) {}
}

/** Where the values of a line lie, and which of them CSV can't take as they are. */
export class Values {
  readonly starts = new Int32Array(1000);
  readonly ends = new Int32Array(1000);
  readonly needCare = new Uint8Array(1000);
}

/** Learns the shape of a line, and gives the record with each value replaced by its slot. */
export function learnShape(
  line: Uint8Array,
  record: object,
): { shape: LineShape; slotted: object } | undefined {
  const texts = [""];
  const kinds: LineShape["kinds"] = [];
  const add = (text: string) => {
    texts[texts.length - 1] += text;
  };
  const slot = (kind: LineShape["kinds"][number]): Slot => {
    texts.push("");
    return new Slot(kinds.push(kind) - 1);
  };
  const visit = (value: unknown): unknown => {
    const isList = Array.isArray(value);
    if (isList || typeof value === "string") {
      add(isList ? "[" : '"');
      const made = slot(isList ? "list" : "string");
      add(isList ? "]" : '"');
      return made;
    }
    if (typeof value === "number" || value === null) return slot("number");
    if (typeof value !== "object") return slot("other");
    add("{");
    const entries = Object.entries(value).map(([key, item], i) => {
      add(`${i === 0 ? "" : ","}${JSON.stringify(key)}:`);
      return [key, visit(item)];
    });
    add("}");
    return Object.fromEntries(entries);
  };
  const slotted = visit(record) as object;
  const encoder = new TextEncoder();
  const shape = { literals: texts.map((text) => encoder.encode(text)), kinds };
  const values = new Values();
  // Only a shape that reads its own line back is trusted with others.
  const isSound =
    kinds.length < values.starts.length && readByShape(shape, line, { start: 0, end: line.length }, values);
  return isSound ? { shape, slotted } : undefined;
}

/** Notes where the values of a line lie; false when the line does not fit the shape. */
export function readByShape(
  { literals, kinds }: LineShape,
  bytes: Uint8Array,
  { start, end }: { start: number; end: number },
  values: Values,
): boolean {
  const { starts, ends, needCare } = values;
  let at = start;
  for (let i = 0; i < kinds.length; i++) {
    const literal = literals[i]!;
    for (let k = 0; k < literal.length; k++) if (bytes[at + k] !== literal[k]) return false;
    at += literal.length;
    const kind = kinds[i]!;
    starts[i] = at;
    needCare[i] = 0;
    // A number, or null.
    if (kind === "number" && !isNumberStart(bytes[at]!)) return false;
    const stop = kind === "string" ? QUOTE : kind === "list" ? CLOSE : COMMA;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (byte === stop || (stop === COMMA && byte === BRACE_CLOSE)) break;
      // Escapes and nesting are not for this reader.
      if (byte === BACKSLASH) return false;
      if (stop === QUOTE) {
        if (byte === COMMA) needCare[i] = 1;
      } else if (byte === OPEN || byte === BRACE_OPEN || (stop === COMMA && byte === QUOTE)) return false;
    }
    ends[i] = at;
  }
  const last = literals[kinds.length]!;
  for (let k = 0; k < last.length; k++) if (bytes[at + k] !== last[k]) return false;
  return at + last.length === end;
}

const LETTER_N = 110;
const [QUOTE, COMMA, MINUS, OPEN, BACKSLASH, CLOSE, BRACE_OPEN, BRACE_CLOSE] = [
  34, 44, 45, 91, 92, 93, 123, 125,
] as const;

function isNumberStart(byte: number): boolean {
  return (byte >= 48 && byte <= 57) || byte === MINUS || byte === LETTER_N;
}
