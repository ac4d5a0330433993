import { describe, expect, test } from "vitest";
import { RandomStream } from "../../src/core/random.ts";
import {
  cohenKappa,
  krippendorffAlpha,
  predictionPoweredInterval,
  tInterval,
} from "../../src/stats/index.ts";

describe("agreement of raters", () => {
  test("is Cohen's kappa of his kind of table: 20 and 15 alike, 5 and 10 apart", () => {
    const pairs = [
      ...Array(20).fill(["yes", "yes"]),
      ...Array(5).fill(["yes", "no"]),
      ...Array(10).fill(["no", "yes"]),
      ...Array(15).fill(["no", "no"]),
    ] as [string, string][];
    const kappa = cohenKappa(
      pairs.map(([a]) => a),
      pairs.map(([, b]) => b),
    );
    expect(kappa).toEqual({ known: true, value: expect.closeTo(0.4, 12) });
  });

  test("is Krippendorff's alpha of his own example, with labels missing", () => {
    const raters = [
      [1, 2, 3, 3, 2, 1, 4, 1, 2, null, null, null],
      [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, null, 3],
      [null, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, null],
      [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, null],
    ];
    const units = raters[0]!.map((_, unit) => raters.map((labels) => labels[unit]!));
    expect(krippendorffAlpha(units)).toEqual({ known: true, value: expect.closeTo(0.743, 3) });
  });

  test("is unknown where there is nothing to agree on", () => {
    expect(cohenKappa(["a", null], [null, "a"])).toMatchObject({ known: false });
    expect(cohenKappa(["a", "a"], ["a", "a"])).toMatchObject({ known: false });
    expect(krippendorffAlpha([["a"], [null, "b"]])).toMatchObject({ known: false });
    expect(krippendorffAlpha([["a", "a"]])).toMatchObject({ known: false });
  });
});

/** Verdicts of people and of a judge who is right as often as told, and passes what fails more often than the reverse. */
function study(seed: number, { labelled, others, errs }: { labelled: number; others: number; errs: number }) {
  const random = new RandomStream(seed, "judge").sequence();
  const all = Array.from({ length: labelled + others }, () => {
    const truth = random() < 0.4 ? 1 : 0;
    return { truth, said: random() < (truth === 1 ? errs / 2 : errs) ? 1 - truth : truth };
  });
  return {
    labels: all.slice(0, labelled).map(({ truth }) => truth),
    onLabelled: all.slice(0, labelled).map(({ said }) => said),
    onOthers: all.slice(labelled).map(({ said }) => said),
  };
}

describe("a judge on all and labels on some", () => {
  test.each([0.1, 0.3, 0.9])("hold their level with a judge that errs in %d of the cases", (errs) => {
    const studies = 1500;
    let covered = 0;
    for (let seed = 0; seed < studies; seed++) {
      const interval = predictionPoweredInterval(study(seed, { labelled: 60, others: 600, errs }));
      if (interval.known && interval.low <= 0.4 && 0.4 <= interval.high) covered++;
    }
    // Four standard errors of a share of .95.
    expect(covered / studies).toBeGreaterThan(0.95 - 4 * Math.sqrt((0.95 * 0.05) / studies));
  });

  test("a good judge is worth labels, and one that guesses adds nothing", () => {
    const good = predictionPoweredInterval(study(1, { labelled: 100, others: 2000, errs: 0.05 }));
    expect(good.known && good.worthLabels).toBeGreaterThan(200);
    const blind = study(1, { labelled: 100, others: 2000, errs: 0 });
    const random = new RandomStream(2, "guess").sequence();
    const guess = () => (random() < 0.5 ? 1 : 0);
    const guessed = predictionPoweredInterval({
      labels: blind.labels,
      onLabelled: blind.labels.map(guess),
      onOthers: blind.onOthers.map(guess),
    });
    expect(guessed.known && guessed.worthLabels).toBeLessThan(115);
  });

  test("are the labels' own t interval with a judge who always says the same", () => {
    const { labels } = study(3, { labelled: 50, others: 2, errs: 0 });
    const same = predictionPoweredInterval({ labels, onLabelled: labels.map(() => 1), onOthers: [1, 1, 1] });
    const alone = tInterval(labels);
    expect(same.known && alone.known && [same.low, same.high, same.weight]).toEqual([
      alone.known && alone.low,
      alone.known && alone.high,
      0,
    ]);
  });
});
