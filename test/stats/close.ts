import { expect } from "vitest";

/** Equal to within a relative tolerance (absolute where a zero is expected). */
export function expectClose(actual: number, expected: number, tolerance = 1e-10): void {
  const room = tolerance * (expected === 0 ? 1 : Math.abs(expected));
  expect(Math.abs(actual - expected), `${actual} against ${expected}`).toBeLessThanOrEqual(room);
}
