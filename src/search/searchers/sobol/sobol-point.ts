import { JOE_KUO } from "./joe-kuo.ts";

const BITS = 32;
/** Dimensions that the table serves. */
export const SOBOL_DIMENSIONS = JOE_KUO.length + 1;

const directions: Uint32Array[] = [];

/** The coordinate of a Sobol point as 32 bits: index from 0, in the order of the Gray code; dimension from 0. */
export function sobolBits(index: number, dimension: number): number {
  directions[dimension] ??= makeDirections(dimension);
  const numbers = directions[dimension]!;
  let bits = 0;
  for (let gray = (index ^ (index >>> 1)) >>> 0, i = 0; gray > 0; gray >>>= 1, i++) {
    if (gray & 1) bits ^= numbers[i]!;
  }
  return bits >>> 0;
}

/**
 * The same coordinate in (0, 1), scrambled in Owen's way: each bit is flipped or not by a hash of the bits above it,
 * so every scrambling is as even as the sequence, and its points are uniform each by itself.
 * Sources: A. B. Owen, J. Complexity 14 (1998), 466-489; S. Laine and T. Karras, Comput. Graph. Forum 30 (2011), for
 * a hash of which every bit depends on the lower ones only (here on reversed bits).
 */
export function scrambledSobol(index: number, dimension: number, key: number): number {
  return (reverse(hashUp(reverse(sobolBits(index, dimension)), key)) + 0.5) / 2 ** BITS;
}

function makeDirections(dimension: number): Uint32Array {
  const numbers = new Uint32Array(BITS);
  if (dimension === 0) return numbers.map((_, i) => 2 ** (BITS - 1 - i));
  const [polynomial, ...first] = JOE_KUO[dimension - 1]!;
  const degree = first.length;
  for (let i = 0; i < BITS; i++) {
    if (i < degree) {
      numbers[i] = first[i]! * 2 ** (BITS - 1 - i);
      continue;
    }
    let number = numbers[i - degree]! ^ (numbers[i - degree]! >>> degree);
    for (let k = 1; k < degree; k++) if ((polynomial! >>> (degree - k)) & 1) number ^= numbers[i - k]!;
    numbers[i] = number;
  }
  return numbers;
}

/** Multiplying by even numbers and adding moves information upwards only. */
function hashUp(bits: number, key: number): number {
  let x = (bits + key) >>> 0;
  x ^= Math.imul(x, 0x6c50b47c);
  x ^= Math.imul(x, 0xb82f1e52);
  x ^= Math.imul(x, 0xc7afe638);
  x ^= Math.imul(x, 0x8d22f6e6);
  return x >>> 0;
}

function reverse(bits: number): number {
  let x = bits;
  x = ((x >>> 1) & 0x55555555) | ((x & 0x55555555) << 1);
  x = ((x >>> 2) & 0x33333333) | ((x & 0x33333333) << 2);
  x = ((x >>> 4) & 0x0f0f0f0f) | ((x & 0x0f0f0f0f) << 4);
  x = ((x >>> 8) & 0x00ff00ff) | ((x & 0x00ff00ff) << 8);
  return ((x >>> 16) | (x << 16)) >>> 0;
}
