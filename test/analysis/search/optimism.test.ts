import { describe, expect, test } from "vitest";
import { optimismOfBest } from "../../../src/analysis/search/optimism.ts";
import { RandomStream } from "../../../src/core/random.ts";
import { normalQuantile } from "../../../src/stats/index.ts";

function normals(seed: number): () => number {
  const next = new RandomStream(seed, "test").sequence();
  return () => normalQuantile(next());
}

/** What the estimate says on average, and what is true, over many searches of one kind. */
function overSearches(truth: (normal: () => number) => number[], { units = 4, shared = 0 } = {}) {
  let [said, real] = [0, 0];
  const searches = 150;
  for (let seed = 1; seed <= searches; seed++) {
    const normal = normals(seed);
    const means = truth(normal);
    const effects = Array.from({ length: units }, () => shared * normal());
    const table = means.map((mean) => effects.map((effect) => mean + effect + normal()));
    const found = optimismOfBest(table, seed);
    if (!found.known) throw new Error(found.why);
    said += found.value / searches;
    const seen = table.map((row) => row.reduce((a, b) => a + b, 0) / units);
    const winner = seen.indexOf(Math.min(...seen));
    const shift = effects.reduce((a, b) => a + b, 0) / units;
    real += (means[winner]! + shift - seen[winner]!) / searches;
  }
  return { said, real };
}

describe("how optimistic the winner of a search is", () => {
  test("among 20 equal points is the expected greatest of 20 normals: 1.867 standard errors", () => {
    const { said } = overSearches(() => new Array(20).fill(3));
    // Harter (1961): E max of 20 = 1.86748; four values a point halve the standard error.
    expect(said).toBeGreaterThan(0.85 * (1.86748 / 2));
    expect(said).toBeLessThan(1.05 * (1.86748 / 2));
  });

  test.each([
    ["points that differ as much as their noise", 0.5],
    ["points that differ much more", 2],
  ])("among %s is what it is in truth, on average", (_, spread) => {
    const { said, real } = overSearches((normal) => Array.from({ length: 40 }, () => spread * normal()));
    expect(Math.abs(said - real)).toBeLessThan(0.1);
  });

  test("does not count what a seed does to all points alike", () => {
    const { said, real } = overSearches((normal) => Array.from({ length: 40 }, () => normal()), {
      shared: 20,
    });
    expect(Math.abs(said - real)).toBeLessThan(0.1);
  });

  test("is nothing where seeds make no difference", () => {
    expect(optimismOfBest([1, 2, 3, 4, 5].map((v) => [v, v, v]))).toMatchObject({
      known: true,
      value: 0,
      wrongWinner: 0,
    });
  });

  test("is unknown with one seed, or few points", () => {
    expect(optimismOfBest([[1], [2], [3], [4], [5]])).toMatchObject({ known: false });
    expect(
      optimismOfBest([
        [1, 2],
        [2, 3],
      ]),
    ).toMatchObject({ known: false });
    expect(optimismOfBest([])).toMatchObject({ known: false });
  });
});
