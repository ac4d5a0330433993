import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../src/core/hash.ts";
import { sameValue, type Value } from "../../src/core/params.ts";

describe("two values are the same", () => {
  test("exactly when their canonical JSON is", () => {
    const value = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Value>;
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(sameValue(a, JSON.parse(JSON.stringify(a)))).toBe(true);
        expect(sameValue(a, b)).toBe(canonicalJson(a) === canonicalJson(b));
      }),
    );
  });

  test("not when one has what the other only inherits", () => {
    expect(sameValue({ toString: null }, { x: null })).toBe(false);
    expect(sameValue([], {})).toBe(false);
    expect(sameValue({ a: 1 }, undefined)).toBe(false);
  });
});
