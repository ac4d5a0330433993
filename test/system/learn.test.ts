import { describe, expect, test } from "vitest";
import { example, hasPython } from "../support/example.ts";

/** Both arms' mean reward over the last quarter of their steps, a row a seed. */
const PAIRS = `
  WITH ends AS (SELECT max(step) AS last FROM series),
       late AS (SELECT run_id, avg(reward) AS reward FROM series, ends WHERE step > 0.75 * last GROUP BY run_id)
  SELECT seed, max(reward) FILTER (architecture = 'vit_reset') AS control,
         max(reward) FILTER (architecture = 'trxl') AS candidate
  FROM late JOIN runs USING (run_id) GROUP BY seed ORDER BY seed`;

describe("the paired comparison", () => {
  test("has the launcher's 15 seeds for both arms, and its names", async () => {
    await using project = await example("paired-comparison");
    const { stdout } = await project.assay("plan", "comparison.yaml", "--runs", "--json");
    const { runs, total } = JSON.parse(stdout) as { runs: { id: string }[]; total: number };
    expect(total).toBe(30);
    const names = runs.map(({ id }) => id.replace(/__[0-9a-f]{12}$/, ""));
    const seedsOf = (arm: string) =>
      names
        .filter((name) => name.startsWith(`paired.${arm}.seed`))
        .map((name) => Number(name.split("seed")[1]));
    expect(seedsOf("trxl")).toEqual(seedsOf("vit_reset"));
    expect([...seedsOf("trxl")].sort((a, b) => a - b)).toEqual([
      1072, 2043, 3014, 4085, 5156, 6227, 7298, 8369, 9440, 10511, 11582, 12653, 13724, 14795, 15866,
    ]);
    expect(project.exists("bench_runs")).toBe(false);
  });

  test("the target learn: curves of 240 points, better with memory, the same bytes again", async () => {
    await using project = await example("paired-comparison");
    const seeds = ["--seeds", "1072,2043,3014"];
    const ran = await project.run("comparison.yaml", ...seeds);
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("6 ok of 6 runs") });
    const ask = async (sql: string) =>
      JSON.parse((await project.assay("query", "paired-comparison", sql, "--json")).stdout);
    const curves =
      "SELECT count(*) AS points, max(step) AS last, arg_max(reward, step) > arg_min(reward, step) AS learns FROM series GROUP BY run_id";
    expect(await ask(curves)).toEqual(Array(6).fill({ points: 240, last: 120_000, learns: true }));
    for (const { control, candidate } of await ask(PAIRS)) expect(candidate).toBeGreaterThan(control);

    const seriesOf = () =>
      project
        .records("paired-comparison")
        .map(({ id }) => [id, project.read(`bench_runs/paired-comparison/runs/${id}/series.jsonl`)]);
    const before = Object.fromEntries(seriesOf());
    await project.run("comparison.yaml", ...seeds, "--fresh", "--executor", "process", "-q");
    expect(Object.fromEntries(seriesOf())).toEqual(before);
  });

  test("a script in Python that only appends JSON lines", async ({ skip }) => {
    skip(!hasPython(), "python3 is not installed");
    await using project = await example("paired-comparison");
    const ran = await project.run("python.yaml", "--seeds", "1072,2043,3014");
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("6 ok of 6 runs") });
    const ask = async (sql: string) =>
      JSON.parse((await project.assay("query", "paired-python", sql, "--json")).stdout);
    expect(await ask("SELECT DISTINCT count(*) AS points FROM series GROUP BY run_id")).toEqual([
      { points: 200 },
    ]);
    const pairs = await ask(PAIRS);
    expect(pairs.map(({ seed }: { seed: number }) => seed)).toEqual([1072, 2043, 3014]);
    for (const { control, candidate } of pairs) expect(candidate - control).toBeGreaterThan(0.1);
    const arms = ["--by", "architecture", "--baseline", "vit_reset", "--goal", "maximize"];
    const compared = await project.assay(
      "compare",
      "paired-python",
      ...arms,
      "--metric",
      "reward",
      "--summary",
      "auc",
    );
    expect(compared, compared.stderr).toMatchObject({ code: 0 });
    expect(compared.stdout).toMatch(/^trxl beats vit_reset on reward by .*, 3 seeds, paired\./);
  });

  test("a bad parameter is one clear message before anything runs", async () => {
    await using project = await example("paired-comparison");
    const refused = await project.run("comparison.yaml", "-p", "learning_rate=2");
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toMatch(/learning_rate of target learn.*at most 1, got 2/);
    expect(project.exists("bench_runs/paired-comparison/runs")).toBe(false);
  });
});
