/** The last bytes of a stream, in a ring: however long the stream is, no memory but the ring's is ever taken. */
export class ByteTail {
  readonly most: number;
  #ring = Buffer.alloc(0);
  #taken = 0;

  constructor(most: number) {
    this.most = most;
  }

  /** How many bytes came and are no longer held. */
  get lostBytes(): number {
    return Math.max(0, this.#taken - this.most);
  }

  /** The bytes may be used again afterwards. */
  push(bytes: Buffer): void {
    if (bytes.length > 0 && this.#ring.length < this.most) this.#ring = Buffer.allocUnsafeSlow(this.most);
    const kept = bytes.subarray(Math.max(0, bytes.length - this.most));
    const start = this.#place(this.#taken + bytes.length - kept.length);
    const copied = kept.copy(this.#ring, start);
    kept.copy(this.#ring, 0, copied);
    this.#taken += bytes.length;
  }

  /** What is held, in its order. */
  parts(): Buffer[] {
    if (this.#taken <= this.most) return [this.#ring.subarray(0, this.#taken)];
    const start = this.#place(this.#taken);
    return [this.#ring.subarray(start), this.#ring.subarray(0, start)];
  }

  #place(at: number): number {
    return this.most === 0 ? 0 : at % this.most;
  }
}
