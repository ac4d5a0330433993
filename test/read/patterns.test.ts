import { describe, expect, test } from "vitest";
import { compareStudies } from "../../src/api/compare-studies.ts";
import { rankStudy } from "../../src/api/rank-study.ts";
import { failed, type MetricInfos } from "../../src/core/run.ts";
import { viewStudy } from "../../src/read/view-study.ts";
import { aStudy } from "../support/a-study.ts";
import { recordsOf, studyFolder } from "../support/a-study-folder.ts";
import type { TempFolder } from "../support/temp-folder.ts";

const wave = (i: number) => 0.05 * Math.sin(i * 12.9898);
const PATTERN = "build_us.{algorithm}.n{agents}";

/** Eight starts of a benchmark; a quadtree takes twice as long as a grid, and twice as long for twice as many agents. */
function benchmark(metrics: MetricInfos, part: { isFirstFailed?: boolean } = {}): TempFolder {
  const study = aStudy({ seeds: [1, 2, 3, 4, 5, 6, 7, 8], analysis: {} });
  const records = recordsOf(study, ({ seed }) => {
    if (part.isFirstFailed && seed === 1) return { outcome: failed("agent", "gave up"), metrics: {} };
    const names = [100, 200, 400].flatMap((agents) =>
      ["grid", "quadtree"].map((algorithm, i) => [
        `build_us.${algorithm}.n${agents}`,
        agents * (i + 1) * (1 + wave(seed * (i + 2))),
      ]),
    );
    return { metrics: { duration_ms: 1, ...Object.fromEntries(names) } };
  });
  return studyFolder(study, records, { metrics });
}

const declared: MetricInfos = { [PATTERN]: { unit: "us", direction: "minimize", primary: true } };

describe("a metric whose names say what was measured", () => {
  test("compare, rank and the report have its parts as arms and as an axis, with one answer", async () => {
    using folder = benchmark(declared);
    const { comparisons, headlines } = await compareStudies([folder.path]);
    const view = await viewStudy(folder.path);
    const ranked = await rankStudy([folder.path], {});
    expect(comparisons).toHaveLength(1);
    expect(comparisons[0]!.baseline).toMatchObject({ units: expect.objectContaining({ length: 8 }) });
    expect(ranked.arms.map(({ name }) => name)).toEqual(["grid", "quadtree"]);
    expect(ranked.sentence).toBe(view.answer!.sentence);
    expect(view.answer!.sentence).toMatch(/^grid .*beats quadtree/);
    expect([...headlines, comparisons[0]!.sentence]).toContain(view.answer!.sentence);
    expect(view.charts[0]).toMatchObject({ kind: "curves", xLabel: "agents" });
    expect(view.counts).toMatchObject({ ok: 8, total: 8 });
  });

  test("the tables have a column for each size, and how the metric grows with it", async () => {
    using folder = benchmark(declared);
    const [byArm, growth] = (await viewStudy(folder.path)).tables!;
    expect(byArm!.header).toEqual(["algorithm", "agents=100", "agents=200", "agents=400"]);
    expect(byArm!.rows.map(([name]) => name)).toEqual(["grid", "quadtree"]);
    // Every start has the same noise at all sizes, so the means are exactly proportional.
    expect(growth!.rows.map(([, exponent]) => exponent)).toEqual(["1 [1, 1]", "1 [1, 1]"]);
  });

  test("a declared baseline gives a column of ratios, with what is better above one", async () => {
    using folder = benchmark({
      [PATTERN]: { ...declared[PATTERN]!, baseline: { algorithm: "quadtree" } },
    });
    const [byArm] = (await viewStudy(folder.path)).tables!;
    expect(byArm!.header.at(-1)).toBe("against quadtree");
    expect(byArm!.rows.find(([name]) => name === "grid")!.at(-1)).toMatch(/^(1\.9|2)/);
    expect(byArm!.rows.find(([name]) => name === "quadtree")!.at(-1)).toBe("1");
  });

  test("a pattern can be asked for without a declaration", async () => {
    using folder = benchmark({});
    const { comparisons } = await compareStudies([folder.path], {
      metrics: [PATTERN],
      goal: "minimize",
    });
    expect(comparisons[0]!.metric).toBe("build_us");
    expect(comparisons[0]!.sentence).toMatch(/grid|quadtree/);
  });

  test("a failed run is missing in every arm", async () => {
    using folder = benchmark(declared, { isFirstFailed: true });
    const { comparisons } = await compareStudies([folder.path]);
    expect(comparisons[0]!.baseline.missing).toEqual({ agent: 3 });
    expect(comparisons[0]!.candidate.missing).toEqual({ agent: 3 });
  });

  test("a study file may name a pattern; where no name fits it, the report says so", async () => {
    const asking = (metric: string) => {
      const study = aStudy({ seeds: [1, 2, 3], analysis: { metric, goal: "minimize" } });
      return studyFolder(
        study,
        recordsOf(study, ({ seed }) => ({ metrics: { "t.a": seed, "t.b": 2 * seed + 1 } })),
      );
    };
    using fits = asking("t.{kind}");
    const view = await viewStudy(fits.path);
    expect(view.answer!.sentence).toMatch(/^a .*b/);
    expect(view.warnings.map(({ kind }) => kind)).not.toContain("missing-metric");
    using none = asking("u.{kind}");
    const empty = await viewStudy(none.path);
    expect(empty.answer).toBeNull();
    expect(empty.warnings.map(({ kind }) => kind)).toContain("missing-metric");
  });

  test("a pattern that no name fits, and one beside another metric, are refused with a remedy", async () => {
    using folder = benchmark({});
    await expect(compareStudies([folder.path], { metrics: ["load_us.{algorithm}"] })).rejects.toThrow(
      /no run has a metric like "load_us/,
    );
    await expect(compareStudies([folder.path], { metrics: [PATTERN, "duration_ms"] })).rejects.toThrow(
      /a pattern by itself/,
    );
  });
});
