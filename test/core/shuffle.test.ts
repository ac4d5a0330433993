import { expect, test } from "vitest";
import { RandomStream, shuffle } from "../../src/core/random.ts";

const items = [1, 2, 3, 4];

test("an order is drawn by the stream, and the list stays as it is", () => {
  const drawn = shuffle(items, new RandomStream(1, "order"));
  expect([...drawn].sort()).toEqual(items);
  expect(shuffle(items, new RandomStream(1, "order"))).toEqual(drawn);
  expect(items).toEqual([1, 2, 3, 4]);
  expect(new Set(shuffle(items, new RandomStream(2, "order"), 3)).size).toBe(3);
});

test("every order is as likely", () => {
  const counts = new Map<string, number>();
  const draws = 4800;
  for (let seed = 0; seed < draws; seed++) {
    const order = shuffle(items, new RandomStream(seed, "order")).join("");
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  expect(counts.size).toBe(24);
  const chi2 = [...counts.values()].reduce((sum, n) => sum + (n - 200) ** 2 / 200, 0);
  // 23 degrees of freedom: above 49.7 once in a thousand.
  expect(chi2).toBeLessThan(49.7);
});
