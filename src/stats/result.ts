/** An answer that could be given. */
export type Known<T> = { readonly known: true } & Readonly<T>;

/** An answer that could not be given, and the reason: what a reader sees is "unknown, because ...". */
export interface Unknown {
  readonly known: false;
  readonly why: string;
}

/**
 * What every statistic of this room returns. Too little data, or data that can't carry the question, gives
 * `known: false` with a reason; never NaN and never a 0 that looks like a measurement. The compiler makes
 * every caller look at `known` before it can read a number.
 */
export type Result<T> = Known<T> | Unknown;

/** The answer of a statistic that is a single number. */
export interface Value {
  value: number;
}

/** Wraps an answer. */
export function known<const T extends object>(answer: T): Known<T> {
  return { known: true, ...answer };
}

/** Declines to answer; `why` completes the sentence "unknown, because ...". */
export function unknownBecause(why: string): Unknown {
  return { known: false, why };
}
