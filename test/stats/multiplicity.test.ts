import fc from "fast-check";
import { expect, test } from "vitest";
import * as stats from "../../src/stats/index.ts";
import { answer } from "./answer.ts";
import { expectClose } from "./close.ts";

const ps = [0.0001, 0.004, 0.0041, 0.019, 0.03, 0.031, 0.2, 0.5, 0.041, 0.9];

// R 4.2.2, p.adjust
test.each([
  ["holm", stats.holm, [0.001, 0.036, 0.036, 0.133, 0.18, 0.18, 0.6, 1, 0.18, 1]],
  [
    "BH",
    stats.benjaminiHochberg,
    [
      0.001, 0.0136666666666667, 0.0136666666666667, 0.0475, 0.0516666666666667, 0.0516666666666667, 0.25,
      0.555555555555556, 0.0585714285714286, 0.9,
    ],
  ],
  ["bonferroni", stats.bonferroni, [0.001, 0.04, 0.041, 0.19, 0.3, 0.31, 1, 1, 0.41, 1]],
  ["hochberg", stats.hochberg, [0.001, 0.0328, 0.0328, 0.133, 0.155, 0.155, 0.6, 0.9, 0.164, 0.9]],
  [
    "BY",
    stats.benjaminiYekutieli,
    [
      0.00292896825396825, 0.0400292328042328, 0.0400292328042328, 0.139125992063492, 0.151330026455026,
      0.151330026455026, 0.732242063492063, 1, 0.171553854875283, 1,
    ],
  ],
] as const)("%s agrees with R's p.adjust", (_, adjust, expected) => {
  answer(adjust(ps)).adjusted.forEach((p, i) => {
    expectClose(p, expected[i]!, 1e-12);
  });
});

test("adjusting never makes a p-value smaller, keeps the order, and Holm is never above Bonferroni", () => {
  const list = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(list, (raw) => {
      const holm = answer(stats.holm(raw)).adjusted;
      const bonferroni = answer(stats.bonferroni(raw)).adjusted;
      const bh = answer(stats.benjaminiHochberg(raw)).adjusted;
      return raw.every(
        (p, i) => holm[i]! >= p && bh[i]! >= p && holm[i]! <= bonferroni[i]! && bh[i]! <= holm[i]! + 1e-12,
      );
    }),
    { seed: 3 },
  );
});

test("what is not a p-value is refused", () => {
  expect(stats.holm([0.1, Number.NaN])).toMatchObject({ known: false });
  expect(stats.holm([0.1, 1.2])).toMatchObject({ known: false });
  expect(stats.holm([])).toMatchObject({ known: false });
});
