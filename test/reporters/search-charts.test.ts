import { describe, expect, test } from "vitest";
import { analyseSearch } from "../../src/analysis/search/analyse-search.ts";
import type { RunRecord } from "../../src/core/run.ts";
import type { Search } from "../../src/core/space.ts";
import { drawChart } from "../../src/plots/draw-chart.ts";
import { searchCharts } from "../../src/reporters/charts/search-charts.ts";
import type { ChartView } from "../../src/reporters/study-view.ts";
import { aResult, aSearch, failure, unit } from "../support/a-search.ts";

function chartsOf(search: Search, records: RunRecord[]): ChartView[] {
  const found = analyseSearch({ axes: [], search }, records);
  const metrics = search.objectives.map(({ metric, goal }) => ({ name: metric, unit: null, goal }));
  return searchCharts({ study: "s", found, metrics });
}

/** As a page gets it: through JSON, where what is no number is null. */
function drawn(chart: ChartView): string {
  const svg = drawChart(JSON.parse(JSON.stringify(chart)) as ChartView);
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  return svg;
}

const mixed = aSearch({
  kind: { kind: "categorical", values: ["a", "b<", "c"] },
  lr: { kind: "uniform", min: 1e-5, max: 1, scale: "log" },
  depth: { kind: "integer", min: 1, max: 4, scale: "linear", step: 1 },
});

function mixedRecords(count: number): RunRecord[] {
  return Array.from({ length: count }, (_, i) => {
    const kind = ["a", "b<", "c"][i % 3]!;
    const lr = 10 ** (-5 + ((i * 7) % 40) / 8);
    return aResult(
      { kind, lr, ...(kind === "a" ? {} : { depth: 1 + (i % 4) }) },
      { f: Math.abs(Math.log10(lr) + 3) + (i % 3) },
    );
  });
}

describe("the charts of a search", () => {
  test("are its history, what matters, parallel coordinates, slices and the two parameters that matter most", () => {
    const charts = chartsOf(mixed, mixedRecords(40));
    expect(charts.map(({ id, kind }) => [id, kind])).toEqual([
      ["search_history", "history"],
      ["search_importance", "bars"],
      ["search_parallel", "parallel"],
      ["search_slices", "slice"],
      ["search_contour", "contour"],
    ]);
    const [history, importance, parallel, slices, contour] = charts.map(drawn) as [
      string,
      string,
      string,
      string,
      string,
    ];
    expect(history.match(/class="point ok"/g)).toHaveLength(40);
    expect(importance.match(/class="bar"/g)).toHaveLength(3);
    expect(parallel.match(/class="line"/g)).toHaveLength(37);
    expect(parallel.match(/class="line best"/g)).toHaveLength(3);
    expect(slices.match(/class="point best"/g)).toHaveLength(3);
    expect(contour).toContain('class="field"');
    for (const svg of [parallel, slices]) {
      expect(svg).toContain("inactive");
      expect(svg).toContain("b&lt;");
      expect(svg).toMatch(/lr \(log/);
    }
  });

  test("mark failed, stopped and missing results", () => {
    const records = [
      ...mixedRecords(6),
      aResult({ kind: "a", lr: 0.5 }, {}, { outcome: failure }),
      aResult({ kind: "a", lr: 0.6 }, { f: 0.1 }, { outcome: { status: "stopped" } }),
    ];
    const [history] = chartsOf(mixed, records);
    const svg = drawn(history!);
    expect(svg.match(/class="point failed"/g)).toHaveLength(1);
    expect(svg.match(/class="point stopped"/g)).toHaveLength(1);
    // 0.1 would be a record, but is no full result.
    expect(svg).not.toMatch(/best so far: p8/);
  });

  test("draw values that diverged at the edge and say so", () => {
    const search = aSearch({ x: unit });
    const records = Array.from({ length: 40 }, (_, i) =>
      aResult({ x: i / 40 }, { f: i === 7 ? 1e9 : i % 9 }),
    );
    const history = chartsOf(search, records)[0]!;
    expect(drawn(history)).toContain("beyond");
    expect(history.notes.join(" ")).toContain(
      "1 point that is far worse than the others is drawn at the edge",
    );
  });

  test("of several objectives begin with the front", () => {
    const search = aSearch(
      { x: unit },
      {
        objectives: [
          { metric: "cost", goal: "minimize" },
          { metric: "score", goal: "maximize" },
        ],
      },
    );
    const records = Array.from({ length: 30 }, (_, i) =>
      aResult({ x: i / 30 }, { cost: i, score: (i * 11) % 17 }),
    );
    const charts = chartsOf(search, records);
    expect(charts.map(({ id }) => id).slice(0, 3)).toEqual([
      "search_front",
      "search_history",
      "search_history_score",
    ]);
    for (const chart of charts) drawn(chart);
  });

  test.each<[string, Search, RunRecord[], string[]]>([
    ["no run", mixed, [], []],
    ["failures alone", mixed, [aResult({ kind: "a", lr: 1 }, {}, { outcome: failure })], []],
    ["metrics that are null", mixed, [aResult({ kind: "a", lr: 1 }, { f: null })], []],
    ["one point", mixed, [aResult({ kind: "a", lr: 1 }, { f: 1 })], ["search_history"]],
    [
      "one value of the objective",
      aSearch({ x: unit }),
      Array.from({ length: 25 }, (_, i) => aResult({ x: i / 25 }, { f: 3 })),
      ["search_history", "search_parallel", "search_slices"],
    ],
    [
      "choices alone",
      aSearch({ kind: { kind: "categorical", values: [true, false] } }),
      [true, false].map((kind, i) => aResult({ kind }, { f: i })),
      ["search_history", "search_parallel", "search_slices"],
    ],
    [
      "points that don't differ in any parameter",
      aSearch({ x: { kind: "constant", value: 1 } }),
      [aResult({ x: 1 }, { f: 1 })],
      ["search_history"],
    ],
  ])("can be drawn of %s", (_, search, records, ids) => {
    const charts = chartsOf(search, records);
    expect(charts.map(({ id }) => id)).toEqual(ids);
    for (const chart of charts) drawn(chart);
  });

  test("of many points stay small and keep the best", () => {
    const search = aSearch({ x: unit });
    // In no order: the point numbered 2,000 is the best.
    const records = Array.from({ length: 5000 }, (_, i) => {
      const x = ((i * 1237) % 5000) / 5000;
      return aResult({ x }, { f: i === 1999 ? 0 : 1 + Math.abs(x - 0.4) });
    });
    const charts = chartsOf(search, records);
    for (const chart of charts) {
      const svg = drawn(chart);
      expect(svg.length).toBeLessThan(400_000);
      if (chart.id !== "search_importance") expect(svg).toContain("p2000");
    }
  });
});
