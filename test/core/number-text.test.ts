import { describe, expect, test } from "vitest";
import {
  bytesText,
  countText,
  durationText,
  numberText,
  percentText,
  plural,
  pText,
  rangeText,
  usdText,
} from "../../src/core/number-text.ts";

describe("an estimate with its interval", () => {
  test.each([
    [{ value: 31.2, low: 24.1, high: 37.4 }, "31 [24, 37]"],
    [{ value: 0.0123, low: 0.0101, high: 0.0152 }, "0.0123 [0.0101, 0.0152]"],
    [{ value: -133_438, low: -706_261, high: 439_385 }, "−100,000 [−700,000, 400,000]"],
    [{ value: 12_345, low: 12_300, high: 12_400 }, "12,345 [12,300, 12,400]"],
    [{ value: 30, low: 30, high: 30 }, "30.00 [30.00, 30.00]"],
  ])("%o has as many digits as its width deserves: %s", (range, words) => {
    expect(rangeText(range)).toBe(words);
  });

  test("says its sign where that is asked for, and none for nought", () => {
    expect(rangeText({ value: 20_500, low: -300, high: 41_000 }, { signed: true })).toBe(
      "+21,000 [0, +41,000]",
    );
    expect(rangeText({ value: 5, low: -1, high: 11 }, { unit: " %", signed: true })).toBe("+5 % [−1, +11]");
  });
});

describe("a number", () => {
  test.each([
    [0, "0"],
    [-0, "0"],
    [7, "7"],
    [-3, "−3"],
    [1234, "1,234"],
    [12_345.6, "12,346"],
    [-12_345_678, "−12,345,678"],
    [0.123456, "0.1235"],
    [-0.5, "−0.5"],
    [999.96, "1,000"],
    [1e-7, "1e−7"],
    [1.234e-7, "1.23e−7"],
    [12_345_678.9, "1.23e7"],
    [3e12, "3e12"],
    [Number.POSITIVE_INFINITY, "∞"],
    [Number.NEGATIVE_INFINITY, "−∞"],
  ])("%s is written %s", (value, text) => {
    expect(numberText(value)).toBe(text);
  });

  test("has as many digits as asked for", () => {
    expect([2, 3, 6].map((digits) => numberText(0.123456789, digits))).toEqual(["0.12", "0.123", "0.123457"]);
  });

  test("of things is whole and has its noun", () => {
    expect(countText(1_234_567)).toBe("1,234,567");
    expect([0, 1, 12_000].map((count) => plural(count, "run"))).toEqual(["0 runs", "1 run", "12,000 runs"]);
  });

  test.each([
    [0.5, "50 %"],
    [0.12345, "12.3 %"],
    [0.0123, "1.2 %"],
    [-0.051, "−5.1 %"],
    [12.5, "1,250 %"],
  ])("%s of one is %s", (share, text) => {
    expect(percentText(share)).toBe(text);
  });

  test.each([
    [0, "$0"],
    [0.00421, "$0.00421"],
    [0.004, "$0.004"],
    [0.25, "$0.25"],
    [12.3, "$12.30"],
    [-3, "−$3.00"],
    [1234.5, "$1,235"],
  ])("%s dollars are %s", (usd, text) => {
    expect(usdText(usd)).toBe(text);
  });

  test.each([
    [0.03111, ".031"],
    [0.00451, ".0045"],
    [0.00001, "< .0001"],
    [0.99999, "1"],
  ])("a p of %s is %s", (p, text) => {
    expect(pText(p)).toBe(text);
  });
});

describe("durations and sizes", () => {
  test.each([
    [0, "0 ms"],
    [0.0314, "31 µs"],
    [0.7, "1 ms"],
    [999, "999 ms"],
    [1500, "1.5 s"],
    [59_400, "59 s"],
    [61_000, "1 min 1 s"],
    [3_600_000, "1 h 0 min"],
    [90_000_000, "1 d 1 h"],
    [-5, "0 s"],
  ])("%d ms is %s", (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });

  test.each([
    [0, "0 B"],
    [999, "999 B"],
    [1000, "1.0 kB"],
    [23_456_789, "23 MB"],
    [999_999, "1.0 MB"],
  ])("%d bytes are %s", (bytes, text) => {
    expect(bytesText(bytes)).toBe(text);
  });
});
