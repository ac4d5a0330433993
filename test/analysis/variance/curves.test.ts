import { describe, expect, test } from "vitest";
import { commonWindow, summariseCurve, summaryText } from "../../../src/analysis/curve-summary.ts";
import { learningCurves } from "../../../src/analysis/learning-curves.ts";
import { analyseVariance } from "../../../src/analysis/variance/analyse-variance.ts";
import { aMeasurement, measuredRuns } from "../measured.ts";

const line = (to: number, slope = 1) => {
  const steps = Array.from({ length: to / 10 + 1 }, (_, i) => i * 10);
  return { steps, values: steps.map((step) => slope * step) };
};

describe("one number of a curve", () => {
  test.each([
    ["auc", 87.5],
    ["final", 100],
    ["last_n", 80],
    ["slope", 1],
  ] as const)("%s", (summary, expected) => {
    expect(summariseCurve(line(100), { summary, from: 0, to: 100 })).toMatchObject({ value: expected });
  });

  test("a run that ended early is declined, not compared at other steps", () => {
    const found = summariseCurve(line(50), { summary: "auc", from: 0, to: 100 });
    expect(found.known ? "" : found.why).toContain("the curve has steps 0 to 50");
  });

  test("the text names the steps that count", () => {
    expect(summaryText({ summary: "auc", from: 0, to: 100 })).toBe("AUC over its width, steps 75 to 100");
    expect(summaryText({ summary: "auc", from: 0, to: 100, share: 0.5, end: "first" })).toContain("0 to 50");
  });
});

test("the common window ends where three quarters of the runs still are", () => {
  expect(commonWindow([line(100), line(100), line(100), line(30)])).toEqual({ from: 0, to: 100 });
  expect(commonWindow([])).toBeUndefined();
});

describe("curves of arms", () => {
  const runs = [1, 1.1, 0.9].map((slope, i) => ({ ...aMeasurement("a", i, slope), curve: line(100, slope) }));
  const measured = measuredRuns(runs, { arms: ["a"], window: { from: 0, to: 100 }, summary: "final" });

  test("mean and interval at each step, of the same runs everywhere", () => {
    const [curve] = learningCurves(measured);
    expect(curve!.steps[0]).toBe(0);
    expect(curve!.steps.at(-1)).toBe(100);
    expect(curve!.mean.at(-1)).toBeCloseTo(100, 10);
    expect(curve!.runs).toHaveLength(3);
    // All curves are 0 at step 0: no spread, so no band there.
    expect(curve!.low[0]).toBeNaN();
    expect(curve!.low.at(-1)).toBeCloseTo(100 - 4.302652729911275 * (10 / Math.sqrt(3)), 8);
  });

  test("a series gets a second panel for its slope", () => {
    const { panels } = analyseVariance(measured, { threshold: 0.05 });
    expect(panels.map(({ title }) => title)).toEqual(["final of score", "slope of score"]);
    expect(panels[1]!.arms[0]!.values.map((value) => Number(value.toFixed(9)))).toEqual([1, 1.1, 0.9]);
  });
});
