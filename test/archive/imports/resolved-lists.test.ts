import { describe, expect, test } from "vitest";
import { readFiles } from "./read-files.ts";

const said = (files: Record<string, unknown>) =>
  readFiles(files).trials.map(({ trial: { model, task, metrics, outcome } }) => [
    model,
    task,
    metrics.score ?? outcome.owner,
  ]);

describe("lists of resolved instances", () => {
  test("are read as SWE-bench's experiments have them, a system per folder", () => {
    const found = said({
      "verified/fox/results/results.json": { no_generation: ["x-3"], no_logs: ["x-4"], resolved: ["x-1"] },
      "verified/owl/results/results.json": { no_generation: [], resolved: ["x-1", "x-2"], no_apply: ["x-5"] },
    });
    expect(found).toEqual(
      expect.arrayContaining([
        ["fox", "x-1", 1],
        ["fox", "x-3", 0],
        ["fox", "x-4", "grader"],
        ["owl", "x-1", 1],
        ["owl", "x-2", 1],
        ["owl", "x-5", 0],
      ]),
    );
    expect(found).toHaveLength(6);
  });

  test("are read as SWE-bench Pro has them", () => {
    const found = said({ "fox/eval_results.json": { "instance_a-1": true, "instance_a-2": false } });
    expect(found).toEqual([
      ["fox", "instance_a-1", 1],
      ["fox", "instance_a-2", 0],
    ]);
  });

  test("are not taken for what only looks like one", () => {
    expect(() =>
      said({ "a/eval_results.json": { accuracy: 0.5 }, "b/results.json": { resolved: [1] } }),
    ).toThrow();
  });
});
