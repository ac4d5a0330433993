import { describe, expect, test } from "vitest";
import type { RunRecord } from "../../src/core/run.ts";
import type { Study } from "../../src/core/study.ts";
import { designOf } from "../../src/design/design.ts";
import type { ArmsChart, BarsChart, Chart } from "../../src/plots/chart.ts";
import { drawChart } from "../../src/plots/draw-chart.ts";
import { chartsOf } from "../../src/reporters/charts/index.ts";
import type { ChartView } from "../../src/reporters/study-view.ts";
import { aMatrix, product } from "../support/a-matrix.ts";
import { aStudy, axis } from "../support/a-study.ts";

const UNITS: Record<string, string> = { _ms: "ms", _usd: "USD" };

function chartsFor(
  study: Study,
  records: RunRecord[],
  goal: "minimize" | "maximize" | null = "minimize",
): ChartView[] {
  const names = Object.keys(records[0]?.metrics ?? {});
  const metrics = names.map((name) => ({
    name,
    unit: Object.entries(UNITS).find(([ending]) => name.endsWith(ending))?.[1] ?? null,
    goal,
  }));
  const metric = metrics.find(({ name }) => name === study.analysis.metric) ?? metrics[0] ?? null;
  const source = { label: "s", dir: "", study, records };
  return chartsOf({
    study: "s",
    source,
    design: designOf([source]),
    metric,
    metrics,
    comparisons: [],
    curves: [],
  });
}

const policies = ["fifo", "full"];
const variants = ["baseline", "no_hedge"].map((name) => ({ name, params: {}, flags: [] }));

describe("the charts of a study", () => {
  test("of a matrix of policies have the file names of the original tool", () => {
    const study = aStudy({ axes: [axis("policy", ...policies), axis("workflows", 50, 100)], variants });
    const cells = product({ policy: policies, workflows: [50, 100] }).flatMap(({ params }) =>
      variants.map(({ name }) => ({ params, variant: name })),
    );
    const records = aMatrix(cells, [1, 2, 3], ({ workflows }, seed) => {
      const x = Number(workflows) + seed;
      return {
        makespan_mean_ms: x,
        makespan_p50_ms: x,
        makespan_p95_ms: 2 * x,
        makespan_p99_ms: 3 * x,
        cost_mean: x,
        cost_p50: x,
      };
    });
    const charts = chartsFor({ ...study, analysis: { metric: "makespan_p95_ms" } }, records);
    const ids = charts.map(({ id }) => id);
    for (const id of [
      "makespan_by_policy",
      "cost_by_policy",
      "ablation_deltas_full_p95_ratio",
      "makespan_p95_ms_by_policy",
    ])
      expect(ids).toContain(id);
    const makespan = charts.find(({ id }) => id === "makespan_by_policy")!;
    expect(makespan).toMatchObject({
      kind: "bars",
      series: ["p50", "p95", "p99"],
      rows: [
        { name: "fifo", colour: 0 },
        { name: "full", colour: 1 },
      ],
      panels: [{ title: "workflows=50" }, { title: "workflows=100" }],
    });
    // Seeds 1 to 3 of 50 workflows: mean 52 of p50, 104 of p95.
    const [p50, p95] = (makespan as BarsChart).panels[0]!.bars[0]!;
    expect([p50!.value, p95!.value, p50!.n]).toEqual([52, 104, 3]);
  });

  test("each say what their intervals are, name a unit, and can be drawn", () => {
    const study = aStudy({ axes: [axis("agent", "a", "b")] });
    const records = aMatrix(product({ agent: ["a", "b"] }), [1, 2, 3], (_, seed) => ({
      ...{ score: seed, cost_usd: seed * 2, turns: 10 * seed, tokens_input: 5, tokens_output: 3 },
      ...{ "exit/done": 1, "exit/limit": 0, cost_model_usd: 1, cost_tools_usd: 2 },
    }));
    const charts = chartsFor(study, records);
    const ids = charts.map(({ id }) => id);
    for (const id of ["exits", "turns_by_agent", "tokens_split", "cost_split", "cost_against_quality"])
      expect(ids).toContain(id);
    for (const chart of charts) {
      const svg = drawChart(JSON.parse(JSON.stringify(chart)));
      expect(svg).not.toMatch(/NaN|undefined|Infinity/);
      expect(svg).toMatch(
        /class="x-label"[^>]*>[^<]*\((count|ratio|USD|%|points|% of its mean|unit not declared|no unit|ms|s|share)\)/,
      );
      expect(svg).toMatch(/interval/);
      expect(svg).toContain("data-tip=");
    }
  });

  test("show large times in seconds", () => {
    const records = aMatrix(product({ policy: policies }), [1, 2], (_, seed) => ({ wait_ms: 60_000 * seed }));
    const [chart] = chartsFor(aStudy({ axes: [axis("policy", ...policies)] }), records);
    expect(chart).toMatchObject({ id: "wait_ms_by_policy", xLabel: "wait (s)" });
    expect((chart as ArmsChart).panels[0]!.cells[0]!.mean).toBe(90);
  });

  test("of one run an arm say why there is no interval", () => {
    const records = aMatrix(product({ policy: policies }), [1], () => ({ x: 5 }));
    const [chart] = chartsFor(aStudy({ axes: [axis("policy", ...policies)] }), records);
    expect(drawChart(chart!)).toContain("no interval: ");
  });

  // Wilson's interval of 5 in 8: 0.3057 to 0.8632.
  test("of passes and failures have intervals that stay between 0 and 1, and say so", () => {
    const seeds = [1, 2, 3, 4, 5, 6, 7, 8];
    const records = aMatrix(product({ policy: policies }), seeds, (_, seed) => ({
      solved: seed > 3 ? 1 : 0,
    }));
    const [chart] = chartsFor(aStudy({ axes: [axis("policy", ...policies)], seeds }), records);
    expect(chart).toMatchObject({
      xLabel: "solved (share)",
      panels: [
        { cells: [{ mean: 0.625, interval: [expect.closeTo(0.3057, 4), expect.closeTo(0.8632, 4)] }, {}] },
      ],
    });
    expect(drawChart(chart!)).toContain("95 % interval of the share of seeds");
  });

  test("are none without a run, and have at most 24 rows", () => {
    expect(chartsFor(aStudy(), [])).toEqual([]);
    const many = Array.from({ length: 40 }, (_, i) => `p${i}`);
    const records = aMatrix(product({ policy: many }), [1, 2], (_, seed) => ({ x: seed }));
    const [chart] = chartsFor(aStudy({ axes: [axis("policy", ...many)] }), records);
    expect((chart as ArmsChart).rows).toHaveLength(24);
    expect(drawChart(chart!)).toContain("The first 24 of 40 arms");
  });

  test("in a page take their colours from it, and have a label instead of a title", () => {
    const records = aMatrix(product({ policy: policies }), [1, 2], (_, seed) => ({ x: seed }));
    const [chart] = chartsFor(aStudy({ axes: [axis("policy", ...policies)] }), records);
    const [file, page] = [drawChart(chart!), drawChart(chart!, { look: "page" })];
    expect(file).toContain("<title>");
    expect(file).not.toContain("var(");
    expect(page).toContain('fill="var(--plot-ink,#1f2328)"');
    expect(page).toMatch(/^<svg aria-label="x by policy in s" /);
    expect(page).not.toContain("<title>");
    expect(page.replaceAll(/var\(--plot-[\w]+,#[0-9a-f]{6}\)/g, "")).not.toMatch(
      /(fill|stroke)="#(?!fffffe)/,
    );
  });

  test("of a kind that nobody knows are an error", () => {
    const chart = { kind: "toString" } as unknown as Chart;
    expect(() => drawChart(chart)).toThrow('there is no kind of chart "toString"');
  });
});
