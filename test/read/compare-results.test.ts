import { expect, test } from "vitest";
import { compareStudies } from "../../src/api/compare-studies.ts";
import { TempFolder } from "../support/temp-folder.ts";

const result = (values: number[], status = "ok") =>
  JSON.stringify({
    name: "x",
    run_id: "r",
    status,
    warnings: ["the machine was busy"],
    iteration_metrics: values.map((duration_s, index) => ({ index, duration_s, metrics: { score: index } })),
  });

test("two result.json are compared by their iterations", async () => {
  using folder = new TempFolder({
    "A.json": result([10, 11, 10, 11, 10, 11, 10, 11]),
    "B.json": result([20, 21, 20, 21, 20, 21, 20, 21]),
    "other.json": "{}",
  });
  const at = (name: string) => `${folder.path}/${name}`;
  const { comparisons, warnings } = await compareStudies([at("A.json"), at("B.json")]);
  expect(comparisons).toHaveLength(1);
  expect(comparisons[0]).toMatchObject({
    metric: "duration_s",
    baseline: { name: "A" },
    candidate: { name: "B" },
  });
  expect(warnings.join(" ")).toMatch(/iterations within one run per arm.*the machine was busy/);
  const scores = await compareStudies([at("A.json"), at("B.json")], { metrics: ["score"] });
  expect(scores.comparisons[0]!.metric).toBe("score");
  await expect(compareStudies([at("A.json"), at("B.json")], { metrics: ["scroe"] })).rejects.toThrow(
    'no result has a metric "scroe". Did you mean "score"?',
  );
  await expect(compareStudies([at("A.json"), at("other.json")])).rejects.toThrow(
    "expected a run's result.json",
  );
});
