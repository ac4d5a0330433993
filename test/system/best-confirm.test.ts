import { describe, expect, test } from "vitest";
import { fixture } from "../support/fixture.ts";

interface Best {
  best: { name: string; params: Record<string, unknown>; values: number[]; n: number; intervals: object[] }[];
  points: number;
  counts: Record<string, number>;
  optimism: { known?: boolean; value?: number; unknown?: string };
  importance: { parameters: { name: string }[] };
  caution: string;
}

interface Confirmed {
  seeds: number[];
  points: { name: string; n: number; fresh: number[]; searched: number[] }[];
  comparisons: { pairing: { isPaired: boolean; n: number } }[];
  sentences: string[];
  summary: { ok: number; skipped: number };
}

describe("reading a search", () => {
  test("names the best points with intervals, says how optimistic they are, and confirms them on fresh seeds", async () => {
    await using project = await fixture("noisy-search");
    const run = await project.assay("run", "study.yaml");
    expect(run.stdout).toContain("The best of 30 points is p");
    expect(run.stdout).toContain("Next: assay confirm bench_runs/noisy");

    const found = JSON.parse((await project.assay("best", "noisy", "--top", "4", "--json")).stdout) as Best;
    expect(found).toMatchObject({ points: 30, counts: { ok: 30, failed: 0 } });
    expect(found.best).toHaveLength(4);
    // The same from the journal, by hand.
    const means = new Map<string, number[]>();
    for (const { params, metrics } of project.records("noisy")) {
      const key = JSON.stringify(params);
      means.set(key, [...(means.get(key) ?? []), metrics.f!]);
    }
    const least = Math.min(...[...means.values()].map((fs) => fs.reduce((a, b) => a + b, 0) / fs.length));
    expect(found.best[0]!.values[0]).toBeCloseTo(least, 10);
    expect(found.best[0]).toMatchObject({ n: 3, intervals: [{ method: "t" }] });
    expect(found.optimism.value).toBeGreaterThan(0);
    expect(found.caution).toContain("chosen for its value among 30 points");
    expect(found.importance.parameters.map(({ name }) => name).sort()).toEqual(["depth", "kind", "x"]);

    const words = ["confirm", "noisy", "--top", "3", "--seeds", "10", "--json"];
    const confirmed = JSON.parse((await project.assay(...words)).stdout) as Confirmed;
    expect(confirmed.seeds).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
    expect(confirmed.summary).toMatchObject({ ok: 30 });
    expect(confirmed.points.map(({ name }) => name)).toEqual(found.best.slice(0, 3).map(({ name }) => name));
    expect(confirmed.points[0]!.searched).toEqual(found.best[0]!.values);
    for (const { pairing } of confirmed.comparisons) expect(pairing).toMatchObject({ isPaired: true, n: 10 });
    // Noise made the winner: the bowl itself is never below 0.
    expect(confirmed.points[0]!.fresh[0]).toBeGreaterThan(confirmed.points[0]!.searched[0]!);
    const params = project.records("noisy-confirm").map((record) => record.params);
    expect(params).toContainEqual(found.best[0]!.params);

    const again = JSON.parse((await project.assay(...words)).stdout) as Confirmed;
    expect(again.summary).toMatchObject({ ok: 0, skipped: 30 });
    expect(again.points).toEqual(confirmed.points);
  });

  test("confirms against the point of all defaults, which the search need not have tried", async () => {
    await using project = await fixture("noisy-search");
    await project.assay("run", "study.yaml", "--no-report");
    const { stdout, code } = await project.assay(
      "confirm",
      "noisy",
      "--top",
      "1",
      "--seeds",
      "5",
      "--baseline",
      "default",
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/2 points on seeds 4 to 8, none of which the search used: 10 ok/);
    expect(stdout).toMatch(/default \(baseline\) +5 +never tried/);
    const compared = await project.assay("compare", "noisy-confirm", "--by", "variant");
    expect(compared.stdout).toContain("default");
  });

  test("makes a report of the best points, with charts, and no table of hundreds of cells", async () => {
    await using project = await fixture("noisy-search");
    await project.assay("run", "study.yaml");
    const report = project.read("bench_runs/noisy/report/report.md");
    expect(report).toMatch(/\*\*The best of 30 points is p\d+/);
    expect(report).toContain("optimistic");
    expect(report).toContain("## Best points");
    expect(report.split("\n").filter((line) => /^\| \d+ \| p\d+ /.test(line))).toHaveLength(20);
    for (const name of ["history", "importance", "parallel", "slices", "contour"])
      expect(project.exists(`bench_runs/noisy/report/assets/search_${name}.png`)).toBe(true);
  });

  test("of several objectives shows the front, and confirms points spread over it", async () => {
    await using project = await fixture("noisy-search");
    project.edit(
      "study.yaml",
      "points: 30",
      "points: 30\n  objectives: [{metric: f, goal: minimize}, {metric: cost, goal: minimize}]",
    );
    await project.assay("run", "study.yaml");
    const { stdout } = await project.assay("best", "noisy");
    expect(stdout).toMatch(/points? of 30 (is|are) on the Pareto front of f, cost/);
    expect(project.exists("bench_runs/noisy/report/assets/search_front.png")).toBe(true);
    expect((await project.assay("confirm", "noisy", "--top", "2", "--seeds", "3")).code).toBe(0);
  });

  test("without any good run says why there is no best, and confirms nothing", async () => {
    await using project = await fixture("noisy-search");
    project.edit("study.yaml", "kind: [plain, deep]", "kind: [broken]");
    const run = await project.assay("run", "study.yaml", "--jobs", "1");
    expect(run.code).toBe(1);
    expect(run.stdout).toContain("Nothing is known about the best f: all");
    expect((await project.assay("best", "noisy")).code).toBe(0);
    const confirmed = await project.assay("confirm", "noisy");
    expect(confirmed.code).toBe(2);
    expect(confirmed.stderr).toContain("there is nothing to confirm");
  });

  test("of a grid that names no metric asks for one, and takes it", async () => {
    await using project = await fixture("noisy-search");
    project.edit("study.yaml", "analysis: { metric: f, goal: minimize }", "");
    expect((await project.assay("run", "study.yaml")).code).toBe(0);
    const lost = await project.assay("best", "noisy");
    expect(lost.code).toBe(2);
    expect(lost.stderr).toMatch(/doesn.t say what is best.*--metric and --goal, of f, cost/s);
    const told = await project.assay("best", "noisy", "--metric", "cost", "--goal", "maximize");
    expect(told.stdout).toContain("The best of 30 points is p");
  });

  test("of a matrix points to the command that ranks arms", async () => {
    await using project = await fixture("sweep");
    await project.assay("run", "programs.yaml", "--seeds", "1", "--no-report");
    const { stderr, code } = await project.assay("best", "programs");
    expect(code).toBe(2);
    expect(stderr).toContain("assay rank programs");
  });
});
