import { describe, expect, test } from "vitest";
import { rangeWords } from "../../../src/analysis/compare/number-words.ts";

describe("an estimate with its interval", () => {
  test.each([
    [{ value: 31.2, low: 24.1, high: 37.4 }, "31 [24, 37]"],
    [{ value: 0.0123, low: 0.0101, high: 0.0152 }, "0.0123 [0.0101, 0.0152]"],
    [{ value: -133_438, low: -706_261, high: 439_385 }, "−100,000 [−700,000, 400,000]"],
    [{ value: 12_345, low: 12_300, high: 12_400 }, "12,345 [12,300, 12,400]"],
    [{ value: 30, low: 30, high: 30 }, "30.00 [30.00, 30.00]"],
  ])("%o has as many digits as its width deserves: %s", (range, words) => {
    expect(rangeWords(range)).toBe(words);
  });

  test("says its sign where that is asked for, and none for nought", () => {
    expect(rangeWords({ value: 20_500, low: -300, high: 41_000 }, { signed: true })).toBe(
      "+21,000 [0, +41,000]",
    );
    expect(rangeWords({ value: 5, low: -1, high: 11 }, { unit: " %", signed: true })).toBe("+5 % [−1, +11]");
  });
});
