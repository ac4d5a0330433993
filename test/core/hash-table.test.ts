import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HashTable } from "../../src/core/hash.ts";

describe("a hash table", () => {
  test("holds what a Map holds, whatever is set in whatever order", () => {
    const key = fc.oneof(fc.integer({ min: 0, max: 2 ** 48 - 1 }), fc.integer({ min: 0, max: 20 }));
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.nat()), { maxLength: 2000, size: "max" }), (entries) => {
        const table = new HashTable();
        const map = new Map<number, number>();
        for (const [hash, value] of entries) {
          table.set(hash, value);
          map.set(hash, value);
        }
        expect(table.size).toBe(map.size);
        for (const [hash, value] of map) expect(table.get(hash)).toBe(value);
        expect(table.get(2 ** 48 - 2)).toBe(map.get(2 ** 48 - 2));
      }),
      { numRuns: 20 },
    );
  });

  test("grows past many keys that fall on one place", () => {
    const table = new HashTable();
    for (let i = 0; i < 3000; i++) table.set(i * 2147483647, i);
    expect(table.size).toBe(3000);
    expect(table.get(2999 * 2147483647)).toBe(2999);
    expect(table.get(3000 * 2147483647)).toBeUndefined();
  });
});
