/** Keeps the beginning and the end of a stream of bytes, however long it is, in constant memory. */
export class CappedOutput {
  readonly #half: number;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #total = 0;

  constructor(mostBytes: number) {
    this.#half = Math.max(1, Math.floor(mostBytes / 2));
  }

  push(chunk: Buffer): void {
    this.#total += chunk.length;
    const room = this.#half - this.#headBytes;
    if (room > 0) {
      const part = chunk.subarray(0, room);
      this.#head.push(part);
      this.#headBytes += part.length;
    }
    const rest = chunk.subarray(Math.max(0, room));
    if (rest.length === 0) return;
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    if (this.#tailBytes > 4 * this.#half) this.#trim();
  }

  get omittedBytes(): number {
    return Math.max(0, this.#total - 2 * this.#half);
  }

  text(): string {
    this.#trim();
    const head = Buffer.concat(this.#head).toString("utf8");
    const tail = Buffer.concat(this.#tail).toString("utf8");
    return this.omittedBytes === 0 ? head + tail : `${head}\n(${this.omittedBytes} bytes omitted)\n${tail}`;
  }

  #trim(): void {
    const all = Buffer.concat(this.#tail);
    const kept = Buffer.from(all.subarray(Math.max(0, all.length - this.#half)));
    this.#tail = [kept];
    this.#tailBytes = kept.length;
  }
}
