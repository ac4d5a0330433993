/** A launcher tells a program that a signal ended as a code above 128, as shells do; null for such a one. */
export function codeOrSignal(code: number | null): number | null {
  return code !== null && code > 128 && code < 128 + 32 ? null : code;
}
