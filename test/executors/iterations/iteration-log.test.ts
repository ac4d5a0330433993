import { describe, expect, test } from "vitest";
import { describeIterations } from "../../../src/executors/iterations/describe-iterations.ts";
import { IterationLog } from "../../../src/executors/iterations/iteration-log.ts";

function logOf(...raws: Record<string, unknown>[]) {
  const warnings: string[] = [];
  const log = new IterationLog(0, 40, (text) => warnings.push(text));
  for (const [i, raw] of raws.entries()) log.add(i + 1, raw);
  return { log, warnings };
}

describe("the log of iterations", () => {
  test("keeps a column a metric, filled with unknown where an iteration lacks it", () => {
    const { log, warnings } = logOf({ a: 1 }, { a: 2, b: true }, { b: false });
    expect(log.values.metrics).toEqual({ a: [1, 2, null], b: [null, 1, 0] });
    expect(log.values.durationMs).toEqual([1, 2, 3]);
    expect(warnings).toEqual([]);
  });

  test("a metric that is NaN, infinite or changes its type is unknown there, and told once", () => {
    const { log, warnings } = logOf(
      { nan: 1, type: 1, text: "a" },
      { nan: Number.NaN, type: "5", text: "b" },
      { nan: Number.POSITIVE_INFINITY, type: true, text: "c" },
      { nan: 2, type: 2, text: "d" },
    );
    expect(log.values.metrics).toEqual({ nan: [1, null, null, 2], type: [1, null, null, 2] });
    expect(warnings).toEqual([
      "metric text is not a number (string): left out",
      "metric nan is NaN: kept as unknown",
      "metric type was a number and then a string: kept as unknown there",
    ]);
  });
});

describe("the metrics of a run with iterations", () => {
  const described = (raws: Record<string, unknown>[], isTimed = false) =>
    describeIterations(logOf(...raws).log.values, { isTimed, warn: () => {} });

  test("are means, with every statistic beside them that a decision may need", () => {
    expect(described([{ a: 1 }, { a: 2 }, { a: 6 }])).toEqual({
      a: 3,
      a_min: 1,
      a_p05: 1.1,
      a_p25: 1.5,
      a_n: 3,
      a_p50: 2,
      // Linear interpolation at position 0.95 * 2 between the sorted values.
      a_p95: 5.6,
      a_sd: Math.sqrt((4 + 1 + 9) / 2),
    });
  });

  test("are single numbers where nothing varied, or one iteration was measured", () => {
    expect(described([{ a: 4 }, { a: 4 }])).toEqual({ a: 4 });
    expect(described([{ a: 5, b: null }], true)).toEqual({ a: 5, b: null, duration_ms: 1 });
  });

  test("leave unknown values out of the mean, and are unknown without any", () => {
    expect(described([{ a: 1, b: Number.NaN }, { a: Number.NaN }, { a: 3 }])).toMatchObject({
      a: 2,
      b: null,
    });
  });
});
