import { describe, expect, test } from "vitest";
import { facetEstimates } from "../../../src/analysis/facet-estimates.ts";
import { ablationRatios } from "../../../src/analysis/report/ablation.ts";
import { failed, type RunRecord } from "../../../src/core/run.ts";
import type { Study } from "../../../src/core/study.ts";
import { designOf } from "../../../src/design/design.ts";
import { axisLabel, quantileFamilies, shortName, stemOf } from "../../../src/design/metric.ts";
import { paretoFront } from "../../../src/reporters/charts/tradeoff-chart.ts";
import { aMatrix, product } from "../../support/a-matrix.ts";
import { aStudy, axis } from "../../support/a-study.ts";

const sourceOf = (study: Study, records: RunRecord[]) => ({ label: "s", dir: "", study, records });

describe("values of an arm", () => {
  const x = { name: "x", unit: null, goal: null };
  const groupsOf = (records: RunRecord[], metric = x) =>
    facetEstimates(designOf([sourceOf(aStudy({ axes: [axis("policy", "a", "b")] }), records)]), metric)
      .groups;

  test("are one per seed, the mean of its repeats", () => {
    const once = aMatrix(product({ policy: ["a", "b"] }), [1, 2], (_, seed) => ({ x: seed }));
    const again = once.map((run) => ({ ...run, id: `${run.id}r`, repeat: 1, metrics: { x: run.seed + 2 } }));
    expect(groupsOf([...once, ...again])).toMatchObject([
      { facet: "", name: "a", units: ["1", "2"], values: [2, 3], missing: {} },
      { facet: "", name: "b", units: ["1", "2"], values: [2, 3], missing: {} },
    ]);
  });

  test("leave out failed runs and unknown numbers, and count them", () => {
    const records = aMatrix(product({ policy: ["a", "b"] }), [1, 2, 3], (_, seed) => ({ x: seed + 1 }));
    records[0]!.outcome = failed("agent", "exit 1");
    records[1]!.metrics = { x: null };
    expect(groupsOf(records)[0]).toMatchObject({ values: [4], missing: { agent: 1, unknown: 1 } });
  });

  test("know a metric only where the run itself has it", () => {
    const records = aMatrix(product({ policy: ["a", "b"] }), [1], () => ({ x: 1 }));
    expect(groupsOf(records, { ...x, name: "toString" })).toMatchObject([
      { values: [], missing: { unknown: 1 } },
      { values: [], missing: { unknown: 1 } },
    ]);
  });
});

describe("metrics by their names", () => {
  test("quantiles of one thing are a family, whatever their order", () => {
    const names = ["a_p99_ms", "cost_p50", "a_mean_ms", "a_p50_ms", "a_p95_ms", "b_p50_ms"];
    expect(quantileFamilies(names)).toEqual([
      {
        stem: "a",
        members: [
          { name: "a_p50_ms", quantile: "p50" },
          { name: "a_p95_ms", quantile: "p95" },
          { name: "a_p99_ms", quantile: "p99" },
        ],
      },
    ]);
    expect([shortName("makespan_p95_ms"), shortName("loss")]).toEqual(["p95", "loss"]);
    expect([stemOf("cost_mean"), stemOf("latency_mean_ms"), stemOf("loss")]).toEqual([
      "cost",
      "latency",
      "loss",
    ]);
  });

  test.each([
    ["makespan_p95_ms", "ms", "makespan_p95 (ms)"],
    ["cost_mean", "USD", "cost_mean (USD)"],
    ["finished_share", "1", "finished_share (ratio)"],
    ["turns", null, "turns (count)"],
    ["score", "1", "score (no unit)"],
    ["score", null, "score (unit not declared)"],
  ])("%s in %s has the label %s", (name, unit, label) => {
    expect(axisLabel({ name, unit })).toBe(label);
  });
});

describe("the Pareto front", () => {
  const points = [
    { x: 1, y: 5 },
    { x: 2, y: 3 },
    { x: 3, y: 4 },
    { x: 4, y: 1 },
    { x: 1, y: 6 },
    { x: Number.NaN, y: 0 },
  ];

  test("holds what no other point beats, from left to right", () => {
    expect(paretoFront(points, ["minimize", "minimize"])).toEqual([0, 1, 3]);
    expect(paretoFront(points, ["minimize", "maximize"])).toEqual([4]);
    expect(paretoFront(points, ["maximize", "maximize"])).toEqual([4, 2, 3]);
  });

  test("agrees with comparing every point with every other", () => {
    const many = Array.from({ length: 60 }, (_, i) => ({ x: (i * 37) % 19, y: (i * 53) % 23 }));
    const isBeaten = (i: number) =>
      many.some((p) => p.x <= many[i]!.x && p.y <= many[i]!.y && (p.x < many[i]!.x || p.y < many[i]!.y));
    const slow = many.map((_, i) => i).filter((i) => !isBeaten(i));
    expect(paretoFront(many, ["minimize", "minimize"]).sort((a, b) => a - b)).toEqual(slow);
  });
});

describe("ablations", () => {
  const variants = ["baseline", "no_hedge", "idle"].map((name) => ({ name, params: {}, flags: [] }));
  const study = aStudy({ axes: [axis("policy", "fifo", "full")], variants });
  const cells = [
    { params: { policy: "fifo" } },
    ...variants.map(({ name }) => ({ params: { policy: "full" }, variant: name })),
  ];

  const ablationsOf = (records: RunRecord[]) => {
    const source = sourceOf(study, records);
    return ablationRatios(source, designOf([source]), { name: "x", unit: null, goal: null });
  };

  test("are ratios to the baseline variant, paired, in the arm that has the variants", () => {
    const records = aMatrix(cells, [1, 2, 3], (_, seed, variant) => ({
      x: variant === "no_hedge" ? 20 + seed * 0.3 : 10 + seed * 0.1,
    }));
    const found = ablationsOf(records)!;
    expect(found).toMatchObject({ arm: "full", baseline: "baseline", variants: ["no_hedge", "idle"] });
    const [hedge, idle] = found.facets[0]!.ratios;
    // Means 20.6 and 10.2.
    expect(hedge!.ratio).toMatchObject({ known: true, value: expect.closeTo(20.6 / 10.2, 3) });
    expect(hedge!.verdict).toBe("higher");
    expect(idle!.ratio).toMatchObject({ known: false, why: "the same values as the baseline" });
  });

  test("are unknown with one seed, and there are none without variants", () => {
    const one = aMatrix(cells, [1], () => ({ x: 1 }));
    expect(ablationsOf(one)!.facets[0]!.ratios[0]!.ratio).toMatchObject({ known: false });
    const plain = aMatrix(product({ policy: ["fifo", "full"] }), [1, 2], () => ({ x: 1 }));
    expect(ablationsOf(plain)).toBeUndefined();
  });
});
