const BATCH_CHARS = 1 << 16;

/** Many small texts in few writes. */
export class BatchedWriter {
  readonly #write: (text: string) => void;
  #parts: string[] = [];
  #chars = 0;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  add(text: string): void {
    this.#parts.push(text);
    this.#chars += text.length;
    if (this.#chars >= BATCH_CHARS) this.flush();
  }

  flush(): void {
    if (this.#parts.length > 0) this.#write(this.#parts.join(""));
    this.#parts = [];
    this.#chars = 0;
  }
}
