/**
 * Counter-based random numbers (Threefry-4x32-20; Salmon et al., "Parallel random numbers: as easy as
 * 1, 2, 3", SC 2011). The number at a counter depends on nothing but the key and the counter: what one
 * arm of a study draws can't shift what another arm draws.
 */
export class RandomStream {
  readonly #key: Uint32Array;
  readonly #block = new Uint32Array(4);

  /** `purpose` names what the numbers are for: streams of different purposes are independent. */
  constructor(seed: number, purpose: string) {
    this.#key = streamKey(seed, purpose);
  }

  /** A number in (0, 1), 53 bits, for up to four counters (each a 32-bit integer). */
  uniform(c0: number, c1 = 0, c2 = 0, c3 = 0): number {
    threefry4x32(this.#key, c0, c1, c2, c3, this.#block);
    return toUnit(this.#block[0]!, this.#block[1]!);
  }

  /** Two independent numbers in (0, 1) from one counter, written to `out`. */
  uniformPair(out: Float64Array, c0: number, c1 = 0, c2 = 0, c3 = 0): void {
    threefry4x32(this.#key, c0, c1, c2, c3, this.#block);
    out[0] = toUnit(this.#block[0]!, this.#block[1]!);
    out[1] = toUnit(this.#block[2]!, this.#block[3]!);
  }

  /** The same stream as a sequence: each call returns the next number in (0, 1). */
  sequence(): () => number {
    const pair = new Float64Array(2);
    let drawn = 0;
    return () => {
      if (drawn % 2 === 1) {
        drawn++;
        return pair[1]!;
      }
      const block = drawn / 2;
      this.uniformPair(pair, block >>> 0, Math.floor(block / 2 ** 32) >>> 0);
      drawn++;
      return pair[0]!;
    };
  }
}

function toUnit(high: number, low: number): number {
  return ((high >>> 5) * 67108864 + (low >>> 6) + 0.5) / 9007199254740992;
}

function streamKey(seed: number, purpose: string): Uint32Array {
  const key = new Uint32Array(4);
  key[0] = seed >>> 0;
  key[1] = Math.floor(seed / 2 ** 32) >>> 0;
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let i = 0; i < purpose.length; i++) {
    const code = purpose.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x5bd1e995) ^ (b >>> 15);
  }
  key[2] = a >>> 0;
  key[3] = b >>> 0;
  return key;
}

/** Fills `out` with the 128 random bits that belong to a key and a counter. */
export function threefry4x32(
  key: Uint32Array,
  c0: number,
  c1: number,
  c2: number,
  c3: number,
  out: Uint32Array,
): void {
  const k0 = key[0]!;
  const k1 = key[1]!;
  const k2 = key[2]!;
  const k3 = key[3]!;
  const k4 = 0x1bd11bda ^ k0 ^ k1 ^ k2 ^ k3;
  let x0 = (c0 + k0) | 0;
  let x1 = (c1 + k1) | 0;
  let x2 = (c2 + k2) | 0;
  let x3 = (c3 + k3) | 0;
  for (let group = 1; group <= 5; group++) {
    if (group % 2 === 1) {
      x0 = (x0 + x1) | 0;
      x1 = ((x1 << 10) | (x1 >>> 22)) ^ x0;
      x2 = (x2 + x3) | 0;
      x3 = ((x3 << 26) | (x3 >>> 6)) ^ x2;
      x0 = (x0 + x3) | 0;
      x3 = ((x3 << 11) | (x3 >>> 21)) ^ x0;
      x2 = (x2 + x1) | 0;
      x1 = ((x1 << 21) | (x1 >>> 11)) ^ x2;
      x0 = (x0 + x1) | 0;
      x1 = ((x1 << 13) | (x1 >>> 19)) ^ x0;
      x2 = (x2 + x3) | 0;
      x3 = ((x3 << 27) | (x3 >>> 5)) ^ x2;
      x0 = (x0 + x3) | 0;
      x3 = ((x3 << 23) | (x3 >>> 9)) ^ x0;
      x2 = (x2 + x1) | 0;
      x1 = ((x1 << 5) | (x1 >>> 27)) ^ x2;
    } else {
      x0 = (x0 + x1) | 0;
      x1 = ((x1 << 6) | (x1 >>> 26)) ^ x0;
      x2 = (x2 + x3) | 0;
      x3 = ((x3 << 20) | (x3 >>> 12)) ^ x2;
      x0 = (x0 + x3) | 0;
      x3 = ((x3 << 17) | (x3 >>> 15)) ^ x0;
      x2 = (x2 + x1) | 0;
      x1 = ((x1 << 11) | (x1 >>> 21)) ^ x2;
      x0 = (x0 + x1) | 0;
      x1 = ((x1 << 25) | (x1 >>> 7)) ^ x0;
      x2 = (x2 + x3) | 0;
      x3 = ((x3 << 10) | (x3 >>> 22)) ^ x2;
      x0 = (x0 + x3) | 0;
      x3 = ((x3 << 18) | (x3 >>> 14)) ^ x0;
      x2 = (x2 + x1) | 0;
      x1 = ((x1 << 20) | (x1 >>> 12)) ^ x2;
    }
    const s = group % 5;
    x0 = (x0 + (s === 0 ? k0 : s === 1 ? k1 : s === 2 ? k2 : s === 3 ? k3 : k4)) | 0;
    x1 = (x1 + (s === 0 ? k1 : s === 1 ? k2 : s === 2 ? k3 : s === 3 ? k4 : k0)) | 0;
    x2 = (x2 + (s === 0 ? k2 : s === 1 ? k3 : s === 2 ? k4 : s === 3 ? k0 : k1)) | 0;
    x3 = (x3 + (s === 0 ? k3 : s === 1 ? k4 : s === 2 ? k0 : s === 3 ? k1 : k2) + group) | 0;
  }
  out[0] = x0;
  out[1] = x1;
  out[2] = x2;
  out[3] = x3;
}

/**
 * The items in an order drawn from a stream, each order as likely; `most` takes only so many of them. The given
 * list stays as it is. Source: R. Durstenfeld, Comm. ACM 7 (1964), 420.
 */
export function shuffle<T>(items: readonly T[], stream: RandomStream, most = items.length): T[] {
  const order = [...items];
  const next = stream.sequence();
  const count = Math.min(most, order.length);
  for (let i = 0; i < count; i++) {
    const j = i + Math.floor(next() * (order.length - i));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order.slice(0, count);
}
