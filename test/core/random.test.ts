import { describe, expect, test } from "vitest";
import { RandomStream, threefry4x32 } from "../../src/core/random.ts";

const hex = (words: Uint32Array) => [...words].map((word) => word.toString(16).padStart(8, "0")).join(" ");

describe("random streams", () => {
  // Known answers of the Random123 distribution for threefry4x32 with 20 rounds.
  test.each([
    [[0, 0, 0, 0], [0, 0, 0, 0], "9c6ca96a e17eae66 fc10ecd4 5256a7d8"],
    [Array(4).fill(0xffffffff), Array(4).fill(0xffffffff), "2a881696 57012287 f6c7446e a16a6732"],
    [
      [0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89],
      [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
      "59cd1dbb b8879579 86b5d00c ac8b6d84",
    ],
  ])("give the published bits for key %j and counter %j", (key, counter, expected) => {
    const out = new Uint32Array(4);
    const [c0, c1, c2, c3] = counter as [number, number, number, number];
    threefry4x32(new Uint32Array(key), c0, c1, c2, c3, out);
    expect(hex(out)).toBe(expected);
  });

  test("do not depend on what was drawn before", () => {
    const fresh = new RandomStream(7, "service");
    const used = new RandomStream(7, "service");
    for (let i = 0; i < 100; i++) used.uniform(i, 3);
    expect(used.uniform(5, 6, 7, 8)).toBe(fresh.uniform(5, 6, 7, 8));
  });

  test("differ by seed and by purpose", () => {
    const draws = [new RandomStream(1, "a"), new RandomStream(2, "a"), new RandomStream(1, "b")].map(
      (stream) => stream.uniform(0),
    );
    expect(new Set(draws).size).toBe(3);
  });

  test("are uniform: mean, variance and lag-one correlation within five standard errors", () => {
    const next = new RandomStream(42, "uniformity").sequence();
    const n = 200_000;
    const xs = Array.from({ length: n }, next);
    const mean = xs.reduce((a, b) => a + b) / n;
    const variance = xs.reduce((sum, x) => sum + (x - mean) ** 2, 0) / n;
    const lag = xs.slice(1).reduce((sum, x, i) => sum + (x - mean) * (xs[i]! - mean), 0) / n / variance;
    expect(Math.abs(mean - 0.5)).toBeLessThan(5 / Math.sqrt(12 * n));
    expect(Math.abs(variance - 1 / 12)).toBeLessThan(5 * Math.sqrt(1 / 180 / n));
    expect(Math.abs(lag)).toBeLessThan(5 / Math.sqrt(n));
  });
});
