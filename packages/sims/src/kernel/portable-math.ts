/**
 * Logarithm and exponential out of +, -, *, / alone. ECMAScript leaves the last bits of Math.log and Math.exp
 * to each engine and version; the four operations are exact by IEEE 754, so these give the same bits on every
 * machine. Both are within 2 units in the last place of the true value.
 */

// The split keeps k * LN2_HIGH exact: its low 21 bits are zero.
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;

const number = new Float64Array(1);
const words = new Uint32Array(number.buffer);
const HIGH = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;

/** The natural logarithm of a positive, normal number. */
export function ln(x: number): number {
  number[0] = x;
  const high = words[HIGH]!;
  let exponent = (high >>> 20) - 1023;
  words[HIGH] = (high & 0xfffff) | 0x3ff00000;
  let mantissa = number[0]!;
  if (mantissa > Math.SQRT2) {
    mantissa /= 2;
    exponent++;
  }
  // ln m = 2 artanh(f), f = (m - 1) / (m + 1), |f| < 0.1716: eleven terms reach 1e-17.
  const f = (mantissa - 1) / (mantissa + 1);
  const g = f * f;
  let sum = (((1 / 23) * g + 1 / 21) * g + 1 / 19) * g + 1 / 17;
  sum = ((((sum * g + 1 / 15) * g + 1 / 13) * g + 1 / 11) * g + 1 / 9) * g + 1 / 7;
  sum = (sum * g + 1 / 5) * g + 1 / 3;
  return exponent * LN2_HIGH + (2 * f + (2 * f * (g * sum) + exponent * LN2_LOW));
}

/** e to the power of x, for |x| < 700. */
export function exp(x: number): number {
  const power = Math.round(x / Math.LN2);
  const rest = x - power * LN2_HIGH - power * LN2_LOW;
  let sum = 1;
  for (let n = 15; n >= 1; n--) sum = 1 + (rest / n) * sum;
  words[1 - HIGH] = 0;
  words[HIGH] = (power + 1023) << 20;
  return sum * number[0]!;
}
