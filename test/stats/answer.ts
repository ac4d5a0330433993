import type { Known, Result } from "../../src/stats/index.ts";

/** The answer of a statistic that must have one; fails the test with the reason otherwise. */
export function answer<T>(result: Result<T>): Known<T> {
  if (!result.known) throw new Error(`expected an answer, got: unknown, because ${result.why}`);
  return result;
}
