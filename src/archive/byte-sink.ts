import { writeSync } from "node:fs";

const CAPACITY = 1 << 20;

/** Gathers bytes and texts and writes them to a file in large pieces, without making garbage. */
export class ByteSink {
  readonly #file: number;
  readonly #buffer = Buffer.allocUnsafeSlow(CAPACITY);
  #length = 0;
  #position = 0;

  constructor(file: number) {
    this.#file = file;
  }

  byte(value: number): void {
    if (this.#length === CAPACITY) this.flush();
    this.#buffer[this.#length++] = value;
  }

  /** Short stretches: a loop beats a call. */
  bytes(source: Uint8Array, start: number, end: number): void {
    if (this.#length + end - start > CAPACITY) this.flush();
    if (end - start > CAPACITY) {
      this.#write(source.subarray(start, end));
      return;
    }
    const buffer = this.#buffer;
    let at = this.#length;
    for (let i = start; i < end; i++) buffer[at++] = source[i]!;
    this.#length = at;
  }

  text(text: string): void {
    if (this.#length + text.length * 3 > CAPACITY) this.flush();
    if (text.length * 3 > CAPACITY) this.#write(Buffer.from(text));
    else this.#length += this.#buffer.write(text, this.#length);
  }

  flush(): void {
    this.#write(this.#buffer.subarray(0, this.#length));
    this.#length = 0;
  }

  /** A write may take less than it was given. */
  #write(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) at += writeSync(this.#file, bytes, at, bytes.length - at, this.#position + at);
    this.#position += bytes.length;
  }
}
