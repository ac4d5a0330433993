import { describe, expect, test } from "vitest";
import { nameOf } from "../../src/core/params.ts";
import { countAxes } from "../../src/plan/count-points.ts";
import { Plan } from "../../src/plan/plan.ts";
import { aStudy, axis } from "../support/a-study.ts";

const study = aStudy({
  axes: [axis("a", 1, 2), axis("net", [8], [8, 8])],
  variants: ["on", "off"].map((name) => ({ name, params: {}, flags: [] })),
  seeds: [1, 2, 3],
});

describe("the runs of each value", () => {
  test("are the same whether counted by product or one by one", () => {
    const product = countAxes(new Plan(study, "p"));
    const walked = countAxes(new Plan({ ...study, where: "true" }, "p"));
    expect(product).toEqual(walked);
    expect(product.map(({ name, values }) => [name, values.map(({ runs }) => runs)])).toEqual([
      ["a", [12, 12]],
      ["net", [12, 12]],
      ["variant", [12, 12]],
    ]);
  });

  test("tell how many runs have no value, and leave a lone variant out", () => {
    const conditional = aStudy({ axes: [axis("a", 1, 2), { ...axis("b", 5, 6), when: "a == 2" }] });
    expect(countAxes(new Plan(conditional, "p"))[1]).toEqual({
      name: "b",
      values: [
        { value: undefined, runs: 1 },
        { value: 5, runs: 1 },
        { value: 6, runs: 1 },
      ],
    });
    expect(countAxes(new Plan(conditional, "p")).map(({ name }) => name)).toEqual(["a", "b"]);
  });

  test("count values that are objects by what they are", () => {
    const [careful, hasty] = [
      { name: "careful", command: ["a"] },
      { name: "hasty", command: ["b"] },
    ];
    const study = aStudy({ axes: [axis("agent", careful, hasty)], seeds: [1, 2] });
    const plan = new Plan(study, "p");
    expect(countAxes(plan)[0]!.values).toEqual([
      { value: careful, runs: 2 },
      { value: hasty, runs: 2 },
    ]);
    expect([careful, [1, 2], "x"].map(nameOf)).toEqual(["careful", "[1,2]", "x"]);
    expect([...plan.runs()].map(({ id }) => id.split("__")[0])).toEqual([
      "agentcareful",
      "agenthasty",
      "agentcareful",
      "agenthasty",
    ]);
  });
});
