import { describe, expect, test } from "vitest";
import type { RunRecord } from "../../src/core/run.ts";
import type { Study } from "../../src/core/study.ts";
import { type Ask, designOf } from "../../src/design/design.ts";
import { aMatrix, product } from "../support/a-matrix.ts";
import { aStudy, axis } from "../support/a-study.ts";

const none = () => ({ x: 1 });
const policies = axis("policy", "fifo", "dag", "full");
const scales = axis("workflows", 50, 100);

const design = (study: Study, records: RunRecord[], ask: Ask = {}) => {
  const { arms, ...rest } = designOf([{ label: "s", dir: "", study, records }], ask);
  return { ...rest, arms: arms.map(({ name }) => name) };
};

describe("the arms of a study", () => {
  test("are what its baseline names, paired over the other axes, with a panel for each of their values", () => {
    const study = aStudy({ axes: [policies, scales], analysis: { baseline: { workflows: 100 } } });
    const records = aMatrix(product({ policy: ["fifo", "full"], workflows: [50, 100] }), [1, 2], none);
    expect(design(study, records)).toMatchObject({
      by: ["workflows"],
      arms: ["workflows=50", "workflows=100"],
      baseline: "workflows=100",
      isBaselineDeclared: true,
      blocks: ["policy"],
      keys: ["seed", "policy"],
      clusterBy: "seed",
      facets: ["policy=fifo", "policy=full"],
      unit: "seed",
    });
  });

  test("are words before numbers where nobody said, in the order of the file and without a baseline", () => {
    const records = aMatrix(product({ workflows: [100, 50], policy: ["full", "dag", "fifo"] }), [1, 2], none);
    expect(design(aStudy({ axes: [scales, policies] }), records)).toMatchObject({
      by: ["policy"],
      arms: ["fifo", "dag", "full"],
      baseline: null,
      isBaselineDeclared: false,
      facets: ["workflows=50", "workflows=100"],
    });
    const words = aStudy({ axes: [axis("mode", "a", "b"), axis("place", "x", "y")] });
    const cells = product({ mode: ["a", "b"], place: ["x", "y"] });
    expect(design(words, aMatrix(cells, [1, 2], none))).toMatchObject({
      by: ["mode", "place"],
      arms: ["a, x", "a, y", "b, x", "b, y"],
    });
    const numbers = aStudy({ axes: [axis("lr", 0.1, 0.2), axis("size", 1, 2)] });
    expect(design(numbers, aMatrix(product({ lr: [0.1, 0.2], size: [1, 2] }), [1, 2], none)).arms).toEqual([
      "lr=0.1, size=1",
      "lr=0.1, size=2",
      "lr=0.2, size=1",
      "lr=0.2, size=2",
    ]);
  });

  test("leave the other variants to the ablation, and are variants of the baseline where nothing else varies", () => {
    const variants = ["baseline", "no_hedge"].map((name) => ({ name, params: {}, flags: [] }));
    const cells = (names: string[]) =>
      names.flatMap((policy) => ["no_hedge", "baseline"].map((variant) => ({ params: { policy }, variant })));
    const study = aStudy({ axes: [policies], variants });
    const both = aMatrix(cells(["fifo", "full"]), [1], none);
    expect(design(study, both)).toMatchObject({
      by: ["policy"],
      variant: "baseline",
      arms: ["fifo", "full"],
    });
    expect(design(study, both, { by: ["policy", "variant"] })).toMatchObject({
      variant: null,
      arms: ["fifo", "fifo, no_hedge", "full", "full, no_hedge"],
    });
    expect(design(study, aMatrix(cells(["full"]), [1], none))).toMatchObject({
      by: ["variant"],
      arms: ["baseline", "no_hedge"],
      baseline: "baseline",
      isBaselineDeclared: true,
      variant: null,
    });
  });

  test("tell apart by an axis that only some of them have, which is neither paired by nor a panel", () => {
    const quantum = { ...axis("quantum", 5, 10), when: "disc == 'rr'" };
    const study = aStudy({
      axes: [axis("disc", "fifo", "rr"), quantum],
      analysis: { baseline: { disc: "fifo" } },
    });
    const cells = [{ disc: "fifo" }, { disc: "rr", quantum: 5 }, { disc: "rr", quantum: 10 }];
    const records = aMatrix(
      cells.map((params) => ({ params })),
      [1, 2, 3],
      none,
    );
    expect(design(study, records)).toMatchObject({
      arms: ["fifo", "rr, quantum=5", "rr, quantum=10"],
      baseline: "fifo",
      keys: ["seed"],
      facets: [""],
    });
    // A baseline that would be two arms keeps them together: then each seed's value is a mean.
    const other = { ...study, analysis: { baseline: { disc: "rr" } } };
    expect(design(other, records)).toMatchObject({
      arms: ["fifo", "rr"],
      baseline: "rr",
      keys: ["seed"],
      averaged: ["quantum"],
    });
    expect(design(study, records, { by: ["disc"] })).toMatchObject({ averaged: ["quantum"], keys: ["seed"] });
  });

  test("are named by what they differ in, never by JSON, and keep their colours whatever is asked of them", () => {
    const agents = [
      { name: "quick", argv: ["a"] },
      { name: "slow", argv: ["b"] },
    ];
    const study = aStudy({ axes: [{ names: ["agent"], rows: agents.map((agent) => [agent]) }] });
    const records = aMatrix(
      agents.map((agent) => ({ params: { agent } })),
      [1, 2],
      none,
    );
    expect(design(study, records).arms).toEqual(["quick", "slow"]);
    const nameless = [
      { model: "m", turns: 3 },
      { model: "m", turns: 9 },
    ];
    const other = aStudy({ axes: [{ names: ["agent"], rows: nameless.map((agent) => [agent]) }] });
    expect(
      design(
        other,
        aMatrix(
          nameless.map((agent) => ({ params: { agent } })),
          [1],
          none,
        ),
      ).arms,
    ).toEqual(["turns 3", "turns 9"]);
    const source = {
      label: "s",
      dir: "",
      study: aStudy({ axes: [policies] }),
      records: aMatrix(product({ policy: ["fifo", "dag", "full"] }), [1], none),
    };
    const [dag] = designOf([source], { where: "policy == 'dag'" }).arms;
    expect(dag).toMatchObject({ name: "dag", colour: 1 });
  });

  test("are compared apart by a value's name where it is no text", () => {
    const agents = [
      { name: "quick", argv: ["a"] },
      { name: "slow", argv: ["b"] },
    ];
    const cells = agents.flatMap((agent) => ["x", "y"].map((mode) => ({ params: { agent, mode } })));
    const axes = [{ names: ["agent"], rows: agents.map((agent) => [agent]) }, axis("mode", "x", "y")];
    const { runs, keys } = design(aStudy({ axes }), aMatrix(cells, [1, 2], none), {
      by: ["mode"],
      per: "agent",
    });
    expect([...new Set(runs.map(({ part }) => part))]).toEqual(["agent quick", "agent slow"]);
    expect(keys).toEqual(["seed"]);
  });

  test("may be asked for by a baseline's name, its value, or a part of its name", () => {
    const study = aStudy({ axes: [scales] });
    const records = aMatrix(product({ workflows: [50, 100] }), [1], none);
    for (const baseline of ["workflows=100", "100"])
      expect(design(study, records, { baseline }).baseline).toBe("workflows=100");
    expect(() => design(study, records, { baseline: "7" })).toThrow(/--baseline 7: expected one of/);
  });
});

describe("what is counted", () => {
  const tasks = (count: number, seeds: number[]) =>
    Array.from({ length: count }, (_, i) =>
      aMatrix(product({ policy: ["fifo", "full"] }), seeds, none).map((record) => ({
        ...record,
        id: `${record.id}-${i}`,
        task: `t${i}`,
      })),
    ).flat();
  const study = aStudy({ axes: [policies] });

  test("is tasks where more of them were drawn, with seeds as tries; else seeds, paired within the tasks", () => {
    expect(design(study, tasks(20, [1, 2, 3]))).toMatchObject({ unit: "task", keys: ["task"] });
    expect(design(study, tasks(15, [1]))).toMatchObject({ unit: "task", keys: ["task"] });
    expect(design(study, tasks(3, [1, 2, 3, 4, 5]))).toMatchObject({
      unit: "seed",
      keys: ["task", "seed"],
      clusterBy: "seed",
    });
    const byTask = { ...study, analysis: { pairBy: ["task"] } };
    expect(design(byTask, tasks(3, [1, 2, 3, 4, 5]))).toMatchObject({ unit: "task", keys: ["task"] });
  });

  test("is the repeats of one seed: in rounds where arms take turns, else each for itself", () => {
    const once = aMatrix(product({ policy: ["fifo", "full"] }), [1], none);
    const records = [0, 1, 2].flatMap((repeat) =>
      once.map((run) => ({ ...run, id: `${run.id}${repeat}`, repeat })),
    );
    expect(design(study, records)).toMatchObject({ unit: "repeat", keys: [] });
    expect(design({ ...study, order: "interleaved" }, records)).toMatchObject({
      unit: "round",
      keys: ["repeat"],
    });
  });

  test("is the settings where each was run once, and a numeric setting is an axis, not a panel for each value", () => {
    const sizes = Array.from({ length: 20 }, (_, i) => i);
    const wide = aStudy({ axes: [policies, axis("size", ...sizes)] });
    const records = aMatrix(product({ policy: ["fifo", "full"], size: sizes }), [1], none);
    expect(design(wide, records)).toMatchObject({ unit: "setting", keys: ["size"], x: "size", facets: [""] });
  });

  test("is nothing where there are no runs", () => {
    expect(design(aStudy(), [])).toMatchObject({ by: [], runs: [], baseline: null });
  });
});
