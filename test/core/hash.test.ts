import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson, hashText, shortHash } from "../../src/core/hash.ts";

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, shuffled(item)]),
  );
}

/** JSON of records without `__proto__`, which a literal can't hold. */
const json = fc.jsonValue().filter((value) => !JSON.stringify(value).includes("__proto__"));

describe("canonical JSON", () => {
  test("does not depend on the order of keys", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value));
      }),
    );
  });

  test("is JSON of the same value", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test("tells values apart that look alike", () => {
    expect(canonicalJson({ a: "1" })).not.toBe(canonicalJson({ a: 1 }));
    expect(canonicalJson([[1], 2])).not.toBe(canonicalJson([1, [2]]));
  });

  test("passes over keys without a value", () => {
    expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}');
  });
});

describe("hashes", () => {
  test("are those of SHA-256", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const expected = createHash("sha256").update(text).digest("hex");
        expect(hashText(text)).toBe(expected);
        expect(shortHash(text)).toBe(expected.slice(0, 12));
      }),
    );
  });
});
