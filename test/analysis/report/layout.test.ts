import { describe, expect, test } from "vitest";
import { layoutOf } from "../../../src/analysis/report/layout.ts";
import { aMatrix, product } from "../../support/a-matrix.ts";
import { aStudy, axis } from "../../support/a-study.ts";

const none = () => ({ x: 1 });
const policies = axis("policy", "fifo", "dag", "full");
const scales = axis("workflows", 50, 100);

describe("what a report compares", () => {
  test("is the axis that the study's baseline names, a panel for each value of the other", () => {
    const study = aStudy({ axes: [policies, scales], analysis: { baseline: { workflows: 100 } } });
    const records = aMatrix(product({ policy: ["fifo", "full"], workflows: [50, 100] }), [1, 2], none);
    expect(layoutOf(study, records)).toMatchObject({
      by: ["workflows"],
      arms: ["workflows=50", "workflows=100"],
      baseline: "workflows=100",
      isDeclared: true,
      facetBy: ["policy"],
      facets: ["policy=fifo", "policy=full"],
      unit: "seed",
    });
  });

  test("is a policy before a scale where nobody said, in the order of the file", () => {
    const records = aMatrix(product({ workflows: [100, 50], policy: ["full", "dag", "fifo"] }), [1, 2], none);
    const layout = layoutOf(aStudy({ axes: [scales, policies] }), records);
    expect(layout).toMatchObject({
      by: ["policy"],
      arms: ["fifo", "dag", "full"],
      baseline: "fifo",
      isDeclared: false,
      facets: ["workflows=50", "workflows=100"],
    });
  });

  test("leaves the other variants to the ablation, and compares variants where nothing else varies", () => {
    const variants = ["baseline", "no_hedge"].map((name) => ({ name, params: {}, flags: [] }));
    const cells = (names: string[]) =>
      names.flatMap((policy) => ["no_hedge", "baseline"].map((variant) => ({ params: { policy }, variant })));
    const study = aStudy({ axes: [policies], variants });
    expect(layoutOf(study, aMatrix(cells(["fifo", "full"]), [1], none))).toMatchObject({
      by: ["policy"],
      variant: "baseline",
    });
    expect(layoutOf(study, aMatrix(cells(["full"]), [1], none))).toMatchObject({
      by: ["variant"],
      arms: ["baseline", "no_hedge"],
      variant: null,
    });
  });

  test("averages over an axis of too many values instead of drawing a panel for each", () => {
    const sizes = Array.from({ length: 20 }, (_, i) => i);
    const study = aStudy({ axes: [policies, axis("size", ...sizes)] });
    const layout = layoutOf(study, aMatrix(product({ policy: ["fifo", "full"], size: sizes }), [1], none));
    expect(layout).toMatchObject({ facetBy: [], facets: [""], averaged: ["size"] });
  });

  test("counts tasks where there is one seed, and nothing where there are no runs", () => {
    const records = aMatrix([{ params: {} }], [1], none).flatMap((record) =>
      ["a", "b"].map((task) => ({ ...record, task })),
    );
    expect(layoutOf(aStudy(), records)).toMatchObject({ unit: "task", by: [], arms: ["all runs"] });
    expect(layoutOf(aStudy(), [])).toMatchObject({ by: [], arms: [], baseline: null });
  });
});
