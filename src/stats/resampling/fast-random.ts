import { RandomStream } from "../../core/random.ts";

/**
 * A fast generator for the inner loops of resampling: sfc32 (C. Doty-Humphrey, "Small Fast Chaotic", PractRand),
 * 128 bits of state with a counter, so no cycle is shorter than 2^32. It starts from the project's counter-based
 * stream, so seed and purpose decide every number and different purposes share none. The hot loops of this
 * folder hold the four words in local variables and advance them in line; a call per number costs twice as much.
 */
export class FastRandom {
  readonly state = new Int32Array(4);

  constructor(seed: number, purpose: string) {
    const next = new RandomStream(seed, `stats/${purpose}`).sequence();
    for (let i = 0; i < 3; i++) this.state[i] = (next() * 2 ** 32) | 0;
    this.state[3] = 1;
    for (let i = 0; i < 12; i++) this.bits();
  }

  /** The next 32 bits, as a signed integer. */
  bits(): number {
    const s = this.state;
    const out = (s[0]! + s[1]! + s[3]!) | 0;
    s[3] = s[3]! + 1;
    s[0] = s[1]! ^ (s[1]! >>> 9);
    s[1] = s[2]! + (s[2]! << 3);
    s[2] = ((s[2]! << 21) | (s[2]! >>> 11)) + out;
    return out;
  }

  /**
   * A whole number from 0 to n − 1, each exactly as likely: bits that would favour some numbers are drawn again.
   * The whole part of bits · n / 2^32 is the number, its fraction says whether it is fair; the product is exact
   * up to 2^21. Source: D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019).
   */
  below(n: number): number {
    if (n >= 2 ** 21) return this.#belowByRemainder(n);
    for (;;) {
      const bits = this.bits();
      const fraction = Math.imul(bits, n) >>> 0;
      if (fraction >= n || fraction >= 2 ** 32 % n) return ((bits >>> 0) * (n / 2 ** 32)) | 0;
    }
  }

  #belowByRemainder(n: number): number {
    const unfair = 2 ** 32 % n;
    for (;;) {
      const bits = this.bits() >>> 0;
      if (bits >= unfair) return bits % n;
    }
  }
}
