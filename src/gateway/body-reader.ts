/** How a body of HTTP/1.1 says where it ends: in chunks, by its length, or by the end of the connection. */
export type Framing = "chunked" | "close" | number;

/** A chunk's size, and what may stand behind it. */
const SIZE = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i;
const LONGEST_LINE = 16_384;
const NEWLINE = 10;

/** Finds where a body of HTTP/1.1 ends, and what of its bytes is content rather than framing. */
export class BodyReader {
  readonly #framing: Framing;
  readonly #onContent: (bytes: Buffer) => void;
  /** Of a body in chunks: what its next bytes are. `gap` is the end of line behind a chunk. */
  #next: "size" | "data" | "gap" | "trailer" = "size";
  /** Content that is still to come, of this chunk or of a body that says its length. */
  #left: number;
  #line = "";
  isEnd: boolean;

  constructor(framing: Framing, onContent: (bytes: Buffer) => void) {
    this.#framing = framing;
    this.#onContent = onContent;
    this.#left = typeof framing === "number" ? framing : 0;
    this.isEnd = framing === 0;
  }

  /** Whether a connection that closes cuts nothing off. */
  get isWholeAtClose(): boolean {
    return this.isEnd || this.#framing === "close";
  }

  /** Tells how many of the bytes belong to the body; throws where they are none. */
  take(bytes: Buffer): number {
    if (this.#framing === "chunked") return this.#takeChunks(bytes);
    if (this.#framing === "close") {
      this.#onContent(bytes);
      return bytes.length;
    }
    const used = this.#takeContent(bytes, 0);
    this.isEnd = this.#left === 0;
    return used;
  }

  #takeContent(bytes: Buffer, from: number): number {
    const end = Math.min(bytes.length, from + this.#left);
    if (end === from) return end;
    this.#left -= end - from;
    this.#onContent(bytes.subarray(from, end));
    return end;
  }

  #takeChunks(bytes: Buffer): number {
    let at = 0;
    while (at < bytes.length && !this.isEnd) {
      if (this.#next === "data") {
        at = this.#takeContent(bytes, at);
        if (this.#left === 0) this.#next = "gap";
        continue;
      }
      const newline = bytes.indexOf(NEWLINE, at);
      const end = newline === -1 ? bytes.length : newline + 1;
      this.#line += bytes.toString("latin1", at, end);
      at = end;
      if (this.#line.length > LONGEST_LINE)
        throw new Error("a line between the chunks of the answer is too long");
      if (newline !== -1) this.#takeLine();
    }
    return at;
  }

  #takeLine(): void {
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
