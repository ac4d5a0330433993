import type { Sample } from "../sample.ts";

export interface BettingOptions {
  /** The least and the greatest value a score can have, known beforehand; 0 and 1 unless told. */
  bounds?: readonly [number, number];
  level?: number;
}

/** Why bounds do not fit the values, or undefined if they do. */
export function boundsProblem(xs: Sample, [least, greatest]: readonly [number, number]): string | undefined {
  if (!(least < greatest)) return `bounds must rise, and ${least} and ${greatest} don't`;
  for (let i = 0; i < xs.length; i++) {
    if (xs[i]! < least || xs[i]! > greatest)
      return `value ${i + 1}, ${xs[i]}, is outside the bounds ${least} to ${greatest}`;
  }
  return undefined;
}
