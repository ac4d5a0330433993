import { describe, expect, test } from "vitest";
import { example } from "../support/example.ts";

describe("the hyperparameter search example", () => {
  test("plans as many runs as there are settings that differ", async () => {
    await using project = await example("hyperparameter-search");
    const planned = async (file: string) => JSON.parse((await project.assay("plan", file, "--json")).stdout);
    expect(await planned("quick_test.yaml")).toMatchObject({ total: 84, saved: 60 });
    // 3 numbers of observations, 4 models, 5 seeds.
    expect(await planned("hparams_obs_masking.yaml")).toMatchObject({
      total: 60,
      search: { points: 3, runsPerPoint: 20 },
    });
    // 4 models, 2 x 2 switches, and of 4 x 4 pairs (s, k) the 12 with k < s.
    expect(await planned("hparams_llm_summary.yaml")).toMatchObject({
      total: 120,
      search: { points: 40, combinations: 192, excluded: 64 },
    });
    expect(await planned("hparams_hybrid.yaml")).toMatchObject({ total: 180, search: { combinations: 576 } });
    // For each of 6 models: 1 raw, 3 masking, 48 summary, 144 hybrid.
    expect(await planned("models_mini.yaml")).toMatchObject({
      search: { combinations: 1176, excluded: 384, saved: 3048 },
    });
  });

  test("never keeps more than is summarised, and sets only what the strategy has", async () => {
    await using project = await example("hyperparameter-search");
    const ran = await project.assay("run", "models_mini.yaml", "--seeds", "1", "--no-report");
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    const records = project.records("models_mini");
    expect(records).toHaveLength(60);
    for (const { params } of records) {
      const { strategy, sum_n, sum_keep_m, obs_n } = params;
      const summarises = strategy === "llm_summary" || strategy === "hybrid";
      expect([sum_n !== undefined, sum_keep_m !== undefined]).toEqual([summarises, summarises]);
      expect(obs_n !== undefined).toBe(strategy === "observation_masking" || strategy === "hybrid");
      if (summarises) expect(sum_keep_m).toBeLessThan(sum_n as number);
    }
    // Nobody pays for a test function.
    expect(records.every(({ costUsd }) => costUsd === undefined)).toBe(true);
  });

  test("finds the least value of a known function", async () => {
    await using project = await example("hyperparameter-search");
    const ran = await project.assay("run", "branin.yaml", "--no-report");
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    const values = project.records("branin").map(({ metrics }) => metrics.value!);
    expect(values).toHaveLength(100);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0.397887);
    expect(Math.min(...values)).toBeLessThan(1);
  });

  test("pins a searched parameter from outside", async () => {
    await using project = await example("hyperparameter-search");
    const words = ["plan", "models_mini.yaml", "-p", "strategy=raw", "--json"];
    const planned = JSON.parse((await project.assay(...words)).stdout);
    expect(planned).toMatchObject({ total: 6 * 3, search: { combinations: 6 } });
  });

  test("tells a value that the target does not take before anything runs", async () => {
    await using project = await example("hyperparameter-search");
    project.edit("hparams_obs_masking.yaml", "[5, 10, 15]", "[5, 10, -15]");
    const { code, stderr } = await project.assay("run", "hparams_obs_masking.yaml");
    expect(code).toBe(2);
    expect(stderr).toMatch(/hparams_obs_masking.yaml:\d+:\d+ search.space.obs_n: .*obs_n.*got -15/);
    expect(project.exists("bench_runs")).toBe(false);
  });

  test("tells an unknown method, and a condition that no point satisfies", async () => {
    await using project = await example("hyperparameter-search");
    project.edit("branin.yaml", "method: tpe", "method: tpee");
    const unknown = await project.assay("plan", "branin.yaml");
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.stderr).toContain('unknown method "tpee". Did you mean "tpe"?');
    project.edit("hparams_llm_summary.yaml", "where: sum_keep_m < sum_n", "where: sum_keep_m > 100");
    const empty = await project.assay("plan", "hparams_llm_summary.yaml");
    expect(empty).toMatchObject({ code: 2 });
    expect(empty.stderr).toContain("no point of the space satisfies where: sum_keep_m > 100");
  });
});
