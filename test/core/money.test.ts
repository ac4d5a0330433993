import { expect, test } from "vitest";
import { addUsd } from "../../src/core/number-text.ts";

const sumOf = (costs: number[]) => costs.reduce(addUsd, 0);

test("money adds up as people add it", () => {
  expect(sumOf(Array(10).fill(0.1))).toBe(1);
  expect(sumOf([0.1, 0.2])).toBe(0.3);
  expect(sumOf(Array(1000).fill(0.0001))).toBe(0.1);
});

test("amounts too small for a part of a cent are not lost", () => {
  expect(sumOf(Array(1000).fill(1e-12))).toBeCloseTo(1e-9, 15);
});
