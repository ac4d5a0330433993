import { describe, expect, test } from "vitest";
import { SOBOL_DIMENSIONS, scrambledSobol, sobolBits } from "../../../../src/search/searchers/sobol/sobol.ts";

const plain = (index: number, dimension: number) => sobolBits(index, dimension) / 2 ** 32;

describe("Sobol's sequence", () => {
  test("has the published first points in six dimensions", () => {
    // As scipy.stats.qmc.Sobol(6, scramble=False) gives them from the same direction numbers.
    const published = [
      [0, 0, 0, 0, 0, 0],
      [0.5, 0.5, 0.5, 0.5, 0.5, 0.5],
      [0.75, 0.25, 0.25, 0.25, 0.75, 0.75],
      [0.25, 0.75, 0.75, 0.75, 0.25, 0.25],
      [0.375, 0.375, 0.625, 0.875, 0.375, 0.125],
      [0.875, 0.875, 0.125, 0.375, 0.875, 0.625],
      [0.625, 0.125, 0.875, 0.625, 0.625, 0.875],
      [0.125, 0.625, 0.375, 0.125, 0.125, 0.375],
    ];
    for (const [i, point] of published.entries()) expect(point.map((_, d) => plain(i, d))).toEqual(point);
  });

  test.each(["plain", "scrambled"])("has one of 256 points in each 256th of every axis, %s", (kind) => {
    for (let d = 0; d < SOBOL_DIMENSIONS; d++) {
      const cells = new Set<number>();
      for (let i = 0; i < 256; i++) {
        const unit = kind === "plain" ? plain(i, d) : scrambledSobol(i, d, 0x9e3779b9 + d);
        cells.add(Math.floor(unit * 256));
      }
      expect(cells.size, `dimension ${d}`).toBe(256);
    }
  });

  test("fills the first two axes as a net: one of 256 points in each of 16 by 16 squares, scrambled too", () => {
    const squares = new Set<number>();
    for (let i = 0; i < 256; i++) {
      squares.add(Math.floor(scrambledSobol(i, 0, 17) * 16) * 16 + Math.floor(scrambledSobol(i, 1, 99) * 16));
    }
    expect(squares.size).toBe(256);
  });

  test("differs from scrambling to scrambling", () => {
    expect(scrambledSobol(3, 2, 1)).not.toBe(scrambledSobol(3, 2, 2));
  });
});
