import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as stats from "../../src/stats/index.ts";
import { clusterDegreesOfFreedom } from "../../src/stats/intervals/clustered-interval.ts";
import { answer } from "./answer.ts";
import { expectClose } from "./close.ts";
import { pairs15, sleep } from "./samples.ts";

const limits = (interval: stats.Result<stats.Interval>) => [answer(interval).low, answer(interval).high];
const expectLimits = (
  interval: stats.Result<stats.Interval>,
  expected: readonly number[],
  tolerance = 1e-10,
) =>
  limits(interval).forEach((limit, i) => {
    expectClose(limit, expected[i]!, tolerance);
  });

describe("t intervals", () => {
  test("agree with R's t.test, paired and Welch's", () => {
    const { treatment, control } = pairs15;
    expectLimits(stats.pairedInterval(treatment, control), [0.00375624016148304, 0.037203759838517]);
    expectLimits(stats.welchInterval(treatment, control), [-0.043479121949024, 0.0844391219490241]);
    expectLimits(
      stats.welchInterval(treatment, control, { equalVariance: true }),
      [-0.0434789981374628, 0.0844389981374629],
    );
  });

  test("one-sided intervals are open at the other end", () => {
    const both = answer(stats.tInterval(sleep.first, { level: 0.9 }));
    expect(answer(stats.tInterval(sleep.first, { side: "greater" }))).toMatchObject({
      high: Number.POSITIVE_INFINITY,
    });
    expectClose(answer(stats.tInterval(sleep.first, { side: "greater" })).low, both.low, 1e-12);
    expectClose(answer(stats.tInterval(sleep.first, { side: "less" })).high, both.high, 1e-12);
  });

  test("move and stretch with the data", () => {
    const sample = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 3, maxLength: 12 });
    fc.assert(
      fc.property(
        sample,
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: -99, max: 99 }),
        (xs, factor, shift) => {
          const plain = stats.tInterval(xs);
          const moved = stats.tInterval(xs.map((x) => factor * x + shift));
          if (!plain.known || !moved.known) return plain.known === moved.known;
          return (
            Math.abs(moved.low - (factor * plain.low + shift)) < 1e-7 &&
            Math.abs(moved.high - (factor * plain.high + shift)) < 1e-7
          );
        },
      ),
      { seed: 2 },
    );
  });
});

describe("proportions", () => {
  // R. G. Newcombe, Statistics in Medicine 17 (1998), 857-872, table I, and 873-890, table II
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("Wilson's interval of %d out of %d as published", (successes, n, low, high) => {
    const interval = answer(stats.wilsonInterval(successes, n));
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  test("Wilson's and Clopper and Pearson's agree with R", () => {
    expectLimits(stats.wilsonInterval(27, 50), [0.403988713991575, 0.670303478077757]);
    expectLimits(stats.clopperPearsonInterval(27, 50), [0.393241976116922, 0.681850821431391]);
    expect(limits(stats.clopperPearsonInterval(0, 10))[0]).toBe(0);
    expectClose(limits(stats.clopperPearsonInterval(0, 10))[1]!, 1 - 0.025 ** 0.1, 1e-12);
  });

  test("Newcombe's interval of a difference as published", () => {
    const interval = answer(
      stats.proportionDifferenceInterval({ successes: 56, n: 70 }, { successes: 48, n: 80 }),
    );
    expect(interval.low).toBeCloseTo(0.0524, 4);
    expect(interval.high).toBeCloseTo(0.3339, 4);
  });
});

describe("clusters", () => {
  const values = [1, 2, 3, 4, 7, 8, 9, 12, 3, 4, 5, 8];
  const names = ["a", "a", "a", "a", "b", "b", "b", "b", "c", "c", "c", "c"];

  test("clusters of one value give the ordinary t interval", () => {
    const single = answer(
      stats.clusteredInterval(
        values,
        values.map((_, i) => i),
      ),
    );
    expectLimits(known(single), limits(stats.tInterval(values)), 1e-12);
    expect(single.df).toBeCloseTo(11, 12);
  });

  test("equal clusters give the t interval of their means", () => {
    const means = [2.5, 9, 5];
    expectLimits(stats.clusteredInterval(values, names), limits(stats.tInterval(means)), 1e-12);
    expect(answer(stats.clusteredInterval(values, names)).cautions).toHaveLength(1);
  });

  test("Miller's formula is the sum over all pairs of a cluster", () => {
    const mean = 5.5;
    let cross = 0;
    values.forEach((x, i) => {
      values.forEach((y, j) => {
        if (i !== j && names[i] === names[j]) cross += (x - mean) * (y - mean);
      });
    });
    const naive = answer(stats.standardError(values)).value;
    const { error, df } = answer(stats.clusteredInterval(values, names, { correction: "miller" }));
    expectClose(error, Math.sqrt(naive ** 2 + cross / values.length ** 2), 1e-12);
    expect(df).toBe(2);
  });

  test("a cluster that dominates takes degrees of freedom away", () => {
    expectClose(clusterDegreesOfFreedom([4, 4, 4, 4, 4, 4]), 5, 1e-12);
    expect(clusterDegreesOfFreedom([40, 4, 4, 4, 4, 4])).toBeLessThan(2.5);
  });
});

describe("bootstraps", () => {
  const d = stats.differences(pairs15.treatment, pairs15.control);
  // scipy 1.10.1 and R boot 1.3, means over 5 seeds of 100,000 to 1,000,000 resamples
  const expected = {
    percentile: [0.0054866, 0.0349173],
    basic: [0.0060427, 0.0354734],
    bca: [0.0048925, 0.03442],
  } as const;

  test.each(["percentile", "basic", "bca"] as const)("%s intervals agree with scipy and R", (method) => {
    limits(stats.bootstrapInterval(d, { method, resamples: 200_000 })).forEach((limit, i) => {
      expect(Math.abs(limit - expected[method][i]!)).toBeLessThan(2.5e-4);
    });
  });

  test("the studentised interval has the t interval's width on symmetric data and leans on skewed data", () => {
    const skewed = [1, 1.2, 1.3, 1.5, 1.6, 2, 2.4, 3, 4, 9];
    const t = answer(stats.tInterval(skewed));
    const studentised = answer(stats.bootstrapInterval(skewed, { method: "studentised" }));
    expect(studentised.high - studentised.estimate).toBeGreaterThan(1.3 * (t.high - t.estimate));
    expect(studentised.estimate - studentised.low).toBeLessThan(t.estimate - t.low);
  });

  test("the same seed gives the same interval and another seed another", () => {
    const run = (seed: number) => stats.bootstrapInterval(d, { seed });
    expect(run(3)).toEqual(run(3));
    expect(run(3)).not.toEqual(run(4));
  });

  test("pairs are drawn as pairs: the ratio of equal columns is always 1 and is declined", () => {
    const statistic = (x: Float64Array, y: Float64Array) => x[0]! / y[0]!;
    expect(stats.bootstrapPairedInterval(pairs15.control, pairs15.control, { statistic })).toMatchObject({
      known: false,
    });
  });

  test("the paired mean difference is the bootstrap of the differences", () => {
    const { treatment, control } = pairs15;
    expect(stats.bootstrapPairedInterval(treatment, control)).toEqual(stats.bootstrapInterval(d));
  });

  test("a statistic of one's own, the median, by every method", () => {
    const statistic = (values: Float64Array) => answer(stats.median(values)).value;
    for (const method of ["percentile", "basic", "bca"] as const) {
      const interval = answer(stats.bootstrapInterval(sleep.second, { method, statistic, resamples: 2000 }));
      expect(interval.estimate).toBe(1.75);
      expect(interval.low).toBeLessThan(1.75);
      expect(interval.high).toBeGreaterThan(1.75);
    }
  });

  test("two samples are resampled apart, and a one-sided interval is the end of a two-sided one", () => {
    const both = answer(
      stats.bootstrapDifferenceInterval(sleep.second, sleep.first, { level: 0.9, method: "percentile" }),
    );
    const one = answer(
      stats.bootstrapDifferenceInterval(sleep.second, sleep.first, { method: "percentile", side: "greater" }),
    );
    expect(both.estimate).toBeCloseTo(1.58, 12);
    expect(one.low).toBeCloseTo(both.low, 12);
    const welch = answer(stats.welchInterval(sleep.second, sleep.first));
    const studentised = answer(
      stats.bootstrapDifferenceInterval(sleep.second, sleep.first, { method: "studentised" }),
    );
    expect(studentised.low).toBeCloseTo(welch.low, 0);
    expect(studentised.high).toBeCloseTo(welch.high, 0);
  });

  test("few values draw a caution for percentile and BCa, none for the studentised bootstrap", () => {
    expect(answer(stats.bootstrapInterval(sleep.first)).cautions[0]).toContain("below about 20");
    expect(answer(stats.bootstrapInterval(sleep.first, { method: "studentised" })).cautions).toEqual([]);
  });
});

describe("tasks with rollouts", () => {
  const tasks = Array.from({ length: 30 }, (_, t) =>
    Array.from({ length: 4 }, (_, k) => Math.sin(t) + 0.3 * Math.cos(7 * t + 5 * k)),
  );

  test("drawing tasks alone is the bootstrap of the tasks' means", () => {
    const means = tasks.map((task) => answer(stats.mean(task)).value);
    const direct = limits(stats.bootstrapInterval(means, { method: "percentile", resamples: 40_000 }));
    const nested = limits(stats.hierarchicalBootstrap(tasks, { resample: "tasks", resamples: 40_000 }));
    nested.forEach((limit, i) => {
      expect(Math.abs(limit - direct[i]!)).toBeLessThan(0.01);
    });
  });

  test("drawing rollouts too widens the interval, and drawing them alone makes it a claim about these tasks", () => {
    const width = (resample: "both" | "tasks" | "rollouts") => {
      const [low, high] = limits(stats.hierarchicalBootstrap(tasks, { resample }));
      return high! - low!;
    };
    expect(width("both")).toBeGreaterThan(width("tasks"));
    expect(width("rollouts")).toBeLessThan(0.5 * width("tasks"));
  });

  test("two arms on the same tasks share the tasks' difficulty", () => {
    const better = tasks.map((task) => task.map((x, k) => x + 0.2 + 0.02 * k));
    const paired = answer(stats.hierarchicalBootstrapDifference(better, tasks, { resample: "tasks" }));
    expect(paired.estimate).toBeCloseTo(0.23, 10);
    expect(paired.low).toBeCloseTo(0.23, 6);
    expect(stats.hierarchicalBootstrapDifference(better.slice(1), tasks)).toMatchObject({ known: false });
  });
});

function known<T extends object>(value: T) {
  return { ...value, known: true as const };
}
