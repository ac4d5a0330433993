import { describe, expect, test } from "vitest";
import { drawChart } from "../../src/plots/draw-chart.ts";
import type { RunTable } from "../../src/reporters/study-view.ts";
import {
  brushFilter,
  choiceOf,
  choices,
  exploreChart,
  queryOf,
  settled,
} from "../../viewer/charts/explore-chart.ts";
import { filterRows } from "../../viewer/table/filter-rows.ts";
import { RunStore } from "../../viewer/table/run-store.ts";

/** Two policies at three sizes with two seeds each; one run has no score. */
function table(): RunTable {
  const rows = ["a", "b"].flatMap((policy, p) =>
    [1, 10, 100].flatMap((size) => [1, 2].map((seed) => ({ policy, p, size, seed }))),
  );
  const count = rows.length;
  return {
    count,
    columns: [
      {
        name: "run",
        role: "id",
        kind: "text",
        words: rows.map((_, i) => `r${i}`),
        codes: rows.map((_, i) => i),
      },
      { name: "policy", role: "param", kind: "text", words: ["a", "b"], codes: rows.map(({ p }) => p) },
      { name: "size", role: "param", kind: "number", unit: null, values: rows.map(({ size }) => size) },
      { name: "seed", role: "seed", kind: "number", unit: null, values: rows.map(({ seed }) => seed) },
      {
        ...{ name: "score", role: "metric", kind: "number", unit: "ms" },
        values: rows.map(({ p, size, seed }, i) => (i === 11 ? null : 10 * p + size + seed)),
      },
    ],
  };
}

const store = new RunStore(table());
const all = filterRows(store, "").rows;

describe("the explorer", () => {
  test("begins with the study's metric over a number that was varied, coloured by what else was", () => {
    expect(settled(store, {}, "score")).toEqual({
      metric: "score",
      along: "size",
      colour: "policy",
      facet: "",
      log: "",
    });
    expect(settled(store, { y: "gone", x: "share", colour: "none", facet: "seed", log: "xy" }, null)).toEqual(
      {
        ...{ metric: "score", along: "", colour: "", facet: "seed", log: "xy" },
      },
    );
    expect(choices(store).groups.map(({ name }) => name)).toEqual(["policy", "size", "seed"]);
  });

  test("draws every run with its tip, and a line through the means over a number", () => {
    const chart = exploreChart(store, all, settled(store, { log: "x" }, "score"))!;
    expect(chart).toMatchObject({ xScale: "log", xLabel: "size", yLabel: "score (ms)" });
    const [panel] = chart.panels;
    expect(panel!.points).toHaveLength(11);
    expect(panel!.points[0]).toMatchObject({ name: "a", run: "r0", x: 1, y: 2 });
    expect(panel!.points[0]!.tip).toBe("r0\nscore: 2 ms\nsize: 1\npolicy: a\nseed: 1\nclick to open it");
    expect(panel!.lines[0]).toMatchObject({
      name: "a",
      x: [1, 10, 100],
      y: [2.5, 11.5, 101.5],
      shape: "line",
    });
    expect(chart.notes).toContain("1 of 12 runs have no place here.");
    const svg = drawChart(chart, { look: "page" });
    expect(svg.match(/data-run="r\d+"/g)).toHaveLength(11);
  });

  test("draws the cumulative share, panels and names", () => {
    const ecdf = exploreChart(store, all, settled(store, { x: "share", facet: "seed" }, "score"))!;
    expect(ecdf.panels.map(({ title }) => title)).toEqual(["seed 1", "seed 2"]);
    expect(ecdf.panels[0]!.lines[0]).toMatchObject({
      shape: "stairs",
      x: [2, 11, 101],
      y: [1 / 3, 2 / 3, 1],
    });
    const named = exploreChart(store, all, settled(store, { x: "policy" }, "score"))!;
    expect(named).toMatchObject({ xNames: ["a", "b"] });
    expect(drawChart(named)).toContain(">b</text>");
    expect(exploreChart(store, filterRows(store, "score>1000").rows, settled(store, {}, "score"))).toBeNull();
  });

  test("keeps an arm's colour when a filter leaves out others", () => {
    const choice = settled(store, {}, "score");
    const look = (filter: string) => {
      const { points } = exploreChart(store, filterRows(store, filter).rows, choice)!.panels[0]!;
      return points.find(({ name }) => name === "b")!.colour;
    };
    expect(look("policy=b")).toBe(look(""));
  });

  test("makes a filter of what was brushed", () => {
    const choice = settled(store, {}, "score");
    const text = brushFilter(store, ["r0", "r2"], choice);
    expect(text).toBe("score>=2 score<=11 size>=1 size<=10");
    expect(filterRows(store, text).rows).toHaveLength(3);
    expect(brushFilter(store, ["r0", "r6"], { ...choice, along: "policy" })).toContain("policy=a,b");
    expect(brushFilter(store, [], choice)).toBe("");
  });

  test("says what it leaves out: too many dots, too many colours", () => {
    const count = 10_000;
    const numbers = Array.from({ length: count }, (_, i) => i);
    const many = new RunStore({
      count,
      columns: [
        { name: "run", role: "id", kind: "text", words: numbers.map(String), codes: numbers },
        { name: "task", role: "task", kind: "text", words: numbers.map((i) => `t${i % 50}`), codes: numbers },
        { name: "score", role: "metric", kind: "number", unit: null, values: numbers },
      ],
    });
    const chart = exploreChart(many, filterRows(many, "").rows, {
      ...{ metric: "score", along: "", colour: "task", facet: "", log: "" },
    })!;
    expect(chart.panels[0]!.points.length).toBeLessThanOrEqual(4000);
    expect(chart.notes.join(" ")).toContain("One in 3 of 10,000 runs");
    expect(chart.notes.join(" ")).toContain("task has more than 14 values");
  });

  test("begins in a chart of the study with what that shows, as far as its words tell", () => {
    const chart = { id: "x", title: "score over size in a study", subtitle: "", notes: [], xLabel: "size" };
    const shown = choiceOf({ ...chart, kind: "curves", yLabel: "score (ms)", panels: [] }, store);
    expect(shown).toEqual({ y: "score", x: "size" });
    const other = choiceOf(
      { ...chart, title: "How runs ended", xLabel: "", kind: "arms", rows: [], panels: [], isShared: true },
      store,
    );
    expect(other).toEqual({});
    const choice = settled(store, { ...other, x: "share", colour: "none" }, "score");
    expect(settled(store, queryOf(choice), null)).toEqual(choice);
  });

  test("calls an object by its name where that tells it from the others, and tells a dot's arm and seed", () => {
    const agents = ["careful", "hasty"].map((name) => JSON.stringify({ name, command: [`${name}.sh`] }));
    const named = (words: string[]) => {
      const { count, columns } = table();
      return new RunStore({
        count,
        columns: columns.map((column) =>
          column.name === "policy" && column.kind === "text" ? { ...column, words } : column,
        ),
      });
    };
    const choice = { metric: "score", along: "policy", colour: "policy", facet: "", log: "" } as const;
    const chart = exploreChart(named(agents), all, choice)!;
    expect(chart.xNames).toEqual(["careful", "hasty"]);
    expect(chart.panels[0]!.points[0]!.tip).toMatch(
      /score: .* ms[\s\S]*policy: [\s\S]*size: 1\n[\s\S]*seed: 1/,
    );
    const alike = ["a", "b"].map((command) => JSON.stringify({ name: "same", command }));
    expect(exploreChart(named(alike), all, choice)!.xNames).toEqual(alike);
  });
});
