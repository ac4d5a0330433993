/** How a body of HTTP/1.1 says where it ends: in chunks, by its length, or by the end of the connection. */
export type Framing = "chunked" | "close" | number;

/** A chunk's size, and what may stand behind it. */
const SIZE = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i;
const LONGEST_LINE = 16_384;
const NEWLINE = 10;
const RETURN = 13;

/** Finds where a body of HTTP/1.1 ends, and what of its bytes is content rather than framing. */
export class BodyReader {
  readonly #framing: Framing;
  /** Of a body in chunks: what its next bytes are. `gap` is the end of line behind a chunk. */
  #next: "size" | "data" | "gap" | "trailer" = "size";
  /** Content that is still to come, of this chunk or of a body that says its length. */
  #left: number;
  #line = "";
  isEnd: boolean;

  constructor(framing: Framing) {
    this.#framing = framing;
    this.#left = typeof framing === "number" ? framing : 0;
    this.isEnd = framing === 0;
  }

  /** Whether a connection that closes cuts nothing off. */
  get isWholeAtClose(): boolean {
    return this.isEnd || this.#framing === "close";
  }

  /** Adds the content among the bytes, and tells how many belong to the body; throws where they are none. */
  take(bytes: Buffer, content: Buffer[]): number {
    if (this.#framing === "chunked") return this.#takeChunks(bytes, content);
    if (this.#framing === "close") {
      content.push(bytes);
      return bytes.length;
    }
    const used = this.#takeContent(bytes, 0, content);
    this.isEnd = this.#left === 0;
    return used;
  }

  #takeContent(bytes: Buffer, from: number, content: Buffer[]): number {
    const end = Math.min(bytes.length, from + this.#left);
    if (end === from) return end;
    this.#left -= end - from;
    content.push(bytes.subarray(from, end));
    return end;
  }

  #takeChunks(bytes: Buffer, content: Buffer[]): number {
    let at = 0;
    while (at < bytes.length && !this.isEnd) {
      if (this.#next === "data") {
        at = this.#takeContent(bytes, at, content);
        if (this.#left === 0) this.#next = "gap";
        continue;
      }
      const plain = this.#line === "" ? this.#takePlain(bytes, at) : at;
      at = plain === at ? this.#takeLine(bytes, at) : plain;
    }
    return at;
  }

  /** The lines that nearly all bodies have alone, without making text of them; gives `from` where it is another. */
  #takePlain(bytes: Buffer, from: number): number {
    let at = from;
    if (this.#next === "size") {
      let size = 0;
      for (let digit = hexDigit(bytes[at]); digit !== -1 && at - from < 8; digit = hexDigit(bytes[++at]))
        size = 16 * size + digit;
      if (at === from || size === 0 || bytes[at] !== RETURN || bytes[at + 1] !== NEWLINE) return from;
      this.#left = size;
      this.#next = "data";
      return at + 2;
    }
    if (this.#next !== "gap" || bytes[at] !== RETURN || bytes[at + 1] !== NEWLINE) return from;
    this.#next = "size";
    return at + 2;
  }

  #takeLine(bytes: Buffer, from: number): number {
    const newline = bytes.indexOf(NEWLINE, from);
    const end = newline === -1 ? bytes.length : newline + 1;
    this.#line += bytes.toString("latin1", from, end);
    if (this.#line.length > LONGEST_LINE)
      throw new Error("a line between the chunks of the answer is too long");
    if (newline !== -1) this.#readLine();
    return end;
  }

  #readLine(): void {
    const line = this.#line.replace(/\r?\n$/, "");
    this.#line = "";
    if (this.#next === "trailer") this.isEnd = line === "";
    else if (this.#next === "gap") {
      if (line !== "") throw new Error("a chunk of the answer is longer than it says");
      this.#next = "size";
    } else {
      const size = SIZE.exec(line)?.[1];
      if (size === undefined) throw new Error("a chunk of the answer does not say its size");
      this.#left = Number.parseInt(size, 16);
      this.#next = this.#left === 0 ? "trailer" : "data";
    }
  }
}

/** -1 where it is none. */
function hexDigit(byte = 0): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  // Capital letters have all but this bit.
  const small = byte | 32;
  return small >= 97 && small <= 102 ? small - 87 : -1;
}
