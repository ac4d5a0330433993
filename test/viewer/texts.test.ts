import { describe, expect, test } from "vitest";
import type { RunView } from "../../src/reporters/study-view.ts";
import { markTip } from "../../viewer/charts/mark-tip.ts";
import { seriesCharts } from "../../viewer/charts/series-chart.ts";
import { compareMetrics, compareParams } from "../../viewer/compare-rows.ts";
import { cellNumberText } from "../../viewer/text/cell-number-text.ts";

const run: RunView = {
  ...{ id: "a", params: { policy: "full", depth: 2 }, variant: "baseline", flags: [], seed: 1, task: null },
  ...{ repeat: 0, outcome: { status: "ok" }, attempt: 1, earlier: [], labels: {}, warnings: [] },
  metrics: [{ name: "loss", value: 4, unit: "nat" }],
  ...{
    startedAtMs: 0,
    wallMs: 1,
    costUsd: null,
    stdout: null,
    stderr: null,
    files: [],
    texts: [],
    command: "x",
  },
  series: { step: [0, 1, 2], columns: { loss: [3, null, 1], empty: [null, null, null] }, isThinned: false },
};

test("a time too short to be read in seconds is in microseconds, and says so", () => {
  expect([7.25e-5, 1e-7, 0, 0.0725].map((seconds) => cellNumberText(seconds, "time"))).toEqual([
    "72.5 µs",
    "0.1 µs",
    "0",
    "0.0725",
  ]);
  expect(cellNumberText(7.25e-5, "metric")).toBe("7.25e−5");
});

describe("two runs", () => {
  const other: RunView = {
    ...run,
    params: { policy: "fifo", depth: 2, extra: [1] },
    metrics: [{ name: "loss", value: 5, unit: "nat" }],
  };

  test("show what differs in their parameters first", () => {
    const rows = compareParams(run, other);
    expect(rows.filter(({ isDifferent }) => isDifferent)).toEqual([
      { name: "policy", a: "full", b: "fifo", isDifferent: true },
      { name: "extra", a: "", b: "[1]", isDifferent: true },
    ]);
    expect(rows.findIndex(({ isDifferent }) => !isDifferent)).toBe(2);
  });

  test("show the difference of their metrics, absolute and as a share", () => {
    expect(compareMetrics(run, other)).toMatchObject([
      { a: "4", b: "5", difference: "+1 (+25 %)", unit: "nat" },
    ]);
    expect(compareMetrics(run, { ...other, metrics: [] })).toMatchObject([{ b: "unknown", difference: "" }]);
  });

  test("have their series in one chart a column, none where nothing is known", () => {
    const charts = seriesCharts([
      { name: "A", run },
      { name: "B", run: other },
    ]);
    expect(charts.map(({ title }) => title)).toEqual(["loss"]);
    expect(charts[0]).toMatchObject({
      yLabel: "loss (nat)",
      panels: [
        {
          curves: [
            { name: "A", colour: 0 },
            { name: "B", colour: 1 },
          ],
        },
      ],
    });
  });

  test("tell the value of a point of their series", () => {
    const [chart] = seriesCharts([{ name: "A", run }]);
    // The value of step 1 is missing, so the line's second point is step 2.
    const mark = { index: 0, point: 1 };
    expect(markTip(chart!, mark)).toBe("A\nstep 2\nloss (nat): 1");
    expect(markTip(chart!, { ...mark, index: 7 })).toBeNull();
  });
});
