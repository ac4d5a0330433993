import { describe, expect, test } from "vitest";
import { findOut } from "../../src/analysis/findings.ts";
import { compareStudies } from "../../src/api/compare-studies.ts";
import { chartStudy } from "../../src/api/plot-study.ts";
import { powerStudy } from "../../src/api/power-study.ts";
import { rankStudy } from "../../src/api/rank-study.ts";
import { latestRecords, readStudyFile } from "../../src/archive/read-records.ts";
import { failed, type RunRecord } from "../../src/core/run.ts";
import type { Study } from "../../src/core/study.ts";
import type { StudyFile } from "../../src/core/study-folder.ts";
import type { ArmsChart, CurvesChart } from "../../src/plots/chart.ts";
import type { RadialChart } from "../../src/plots/radial-chart.ts";
import { radialOf } from "../../src/read/charts/radial.ts";
import { measureRuns } from "../../src/read/measure-runs.ts";
import { summariseLaunch } from "../../src/read/summarise-launch.ts";
import { viewStudy } from "../../src/read/view-study.ts";
import { aStudy, axis } from "../support/a-study.ts";
import { recordsOf, studyFolder } from "../support/a-study-folder.ts";
import type { TempFolder } from "../support/temp-folder.ts";

const range = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
/** Numbers that vary without chance. */
const wave = (i: number) => Math.sin(i * 12.9898) * 0.5;

function folderOf(
  study: Study,
  measure: (run: RunRecord) => Partial<RunRecord> | undefined,
  part: Partial<StudyFile> = {},
): TempFolder {
  return studyFolder(study, recordsOf(study, measure), part);
}

async function radial(dir: string, metrics: string[]): Promise<RadialChart> {
  return radialOf(await Promise.all(metrics.map((metric) => measureRuns([dir], { metric }))));
}

describe("each metric has its own goal", () => {
  const study = aStudy({
    axes: [axis("arch", "trxl", "vit")],
    seeds: range(10),
    analysis: { metric: "reward", goal: "maximize" },
  });
  const metrics = {
    reward: { unit: "1", direction: "maximize" as const },
    steps_to_threshold: { unit: "steps", direction: "minimize" as const },
    loss: { unit: "1", direction: "minimize" as const },
  };
  const folder = () =>
    folderOf(
      study,
      ({ params, seed }) => {
        const isFast = params.arch === "trxl";
        return {
          metrics: {
            reward: (isFast ? 9 : 8) + wave(seed),
            steps_to_threshold: (isFast ? 100 : 300) + wave(seed),
            loss: 1 + wave(seed),
          },
        };
      },
      { metrics },
    );

  test("rank and compare name the same winner of a metric whose goal is not the study's", async () => {
    using dir = folder();
    const rank = await rankStudy([dir.path], { metric: "steps_to_threshold" });
    expect(rank).toMatchObject({ goal: "minimize", arms: [{ name: "trxl" }, { name: "vit" }] });
    const { comparisons } = await compareStudies([dir.path], { metrics: ["steps_to_threshold"] });
    expect(comparisons[0]!.sentence).toMatch(/^trxl beats vit on steps_to_threshold/);
  });

  test("a radial plot draws each metric its own way, and names the arms that it leaves out", async () => {
    using dir = folder();
    const chart = await radial(dir.path, ["reward", "steps_to_threshold", "loss"]);
    expect(chart.metrics.map(({ direction }) => direction)).toEqual([
      "more is better",
      "less is better",
      "less is better",
    ]);
    expect(chart.arms.map(({ name, shares }) => [name, shares[1]! > 0.99])).toEqual([
      ["trxl", true],
      ["vit", false],
    ]);
    using lacking = folderOf(study, ({ params, seed }) => ({
      metrics: { reward: 1 + wave(seed), a: seed, ...(params.arch === "trxl" && { b: seed }) },
    }));
    const partial = await radial(lacking.path, ["reward", "a", "b"]);
    expect(partial.notes.join(" ")).toContain("vit is not drawn: it has no b.");
  });
});

test("an axis that only one arm has makes no pair unpaired, and the report says what compare says", async () => {
  const study = aStudy({
    axes: [axis("disc", "fifo", "rr"), { ...axis("quantum", 5, 10), when: "disc == 'rr'" }],
    seeds: range(8),
    analysis: { metric: "wait_ms", goal: "minimize", baseline: { disc: "fifo" } },
  });
  using dir = folderOf(study, ({ params, seed }) => {
    const base = 100 + 20 * wave(seed);
    return { metrics: { wait_ms: base * (params.quantum === 5 ? 1.1 : params.quantum === 10 ? 1.5 : 1) } };
  });
  const { comparisons } = await compareStudies([dir.path]);
  expect(
    comparisons.map(({ candidate, verdict, pairing }) => [candidate.name, verdict, pairing.isPaired]),
  ).toEqual([
    ["rr, quantum=5", "worse", true],
    ["rr, quantum=10", "worse", true],
  ]);
  const { answer } = await viewStudy(dir.path);
  expect(answer!.sentence).toMatch(
    /^fifo, the baseline, is best on wait_ms: rr, quantum=5 is worse than fifo/,
  );
  expect(answer!.status).toBe("declared");
  expect(answer!.others).toContain(comparisons[1]!.sentence);
});

describe("tasks are what is counted, in every command", () => {
  const shape = {
    axes: [axis("agent", "old", "new")],
    analysis: { metric: "solved", goal: "maximize" as const },
  };
  const solved = ({ params, task, seed }: RunRecord) => {
    const difficulty = Number(task!.slice(1)) / 20;
    return {
      metrics: {
        solved: Number(
          wave(seed * 31 + Number(task!.slice(1))) + 0.5 + (params.agent === "new" ? 0.35 : 0) > difficulty,
        ),
      },
    };
  };

  test("of 20 tasks with 3 rollouts each, and of 15 with one", async () => {
    for (const [tasks, seeds] of [
      [20, 3],
      [15, 1],
    ] as const) {
      using dir = folderOf(
        aStudy({ ...shape, tasks: range(tasks).map((i) => `t${i}`), seeds: range(seeds) }),
        solved,
      );
      const rank = await rankStudy([dir.path]);
      const { comparisons } = await compareStudies([dir.path]);
      expect(rank.measured.counted).toBe("task");
      for (const { n, interval } of rank.arms) {
        expect(n).toBe(tasks);
        expect(interval.known && interval.low >= 0 && interval.high <= 1).toBe(true);
      }
      expect(rank.pairs[0]!.p).toBeCloseTo(comparisons[0]!.p!, 12);
      expect(rank.pairs[0]!.verdict).toBe(comparisons[0]!.verdict);
      const view = await viewStudy(dir.path);
      const chart = view.charts.find((one): one is ArmsChart & { id: string } => one.kind === "arms")!;
      for (const cell of chart.panels[0]!.cells) {
        expect(cell!.n).toBe(tasks);
        expect(cell!.interval![0] >= 0 && cell!.interval![1] <= 1).toBe(true);
      }
    }
  });

  test("a pilot of tasks and rollouts can be planned with", async () => {
    using dir = folderOf(aStudy({ ...shape, tasks: range(20).map((i) => `t${i}`), seeds: range(3) }), solved);
    const { pilot, plans } = await powerStudy([dir.path], { effect: { value: 0.1, isRelative: false } });
    expect(pilot).toMatchObject({ unit: "task", units: 20 });
    expect(plans.length).toBeGreaterThan(0);
  });
});

test("an arm has one mean and one count, also where runs are missing", async () => {
  const study = aStudy({
    axes: [axis("agent", "old", "new")],
    tasks: range(12).map((i) => `t${i}`),
    seeds: range(3),
    analysis: { metric: "score", goal: "maximize" },
  });
  using dir = folderOf(study, ({ params, task, seed }) => {
    const i = Number(task!.slice(1));
    if (params.agent === "new" && (i * 7 + seed) % 5 === 0)
      return { outcome: failed("infrastructure", "no disk"), metrics: {} };
    return { metrics: { score: 0.5 + wave(i * 3 + seed) + (params.agent === "new" ? 0.02 : 0) } };
  });
  const rank = await rankStudy([dir.path]);
  const { comparisons } = await compareStudies([dir.path]);
  const { candidate, baseline } = comparisons[0]!;
  const view = await viewStudy(dir.path);
  for (const { name, mean, n } of rank.arms) {
    const compared = [candidate, baseline].find((arm) => arm.name === name)!;
    expect(compared.mean).toBeCloseTo(mean, 12);
    expect(compared.units).toHaveLength(n);
    const row = view.cells.rows.find(([agent]) => agent === name)!;
    expect(Number(row[view.cells.header.indexOf("score")]!.split(" ")[0])).toBeCloseTo(mean, 3);
  }
});

test("an arm has one mean where few tasks lack some of many seeds, in compare, rank, power, summarize and the report", async () => {
  const study = aStudy({
    axes: [axis("agent", "old", "new")],
    tasks: ["a", "b", "c"],
    seeds: range(12),
    analysis: { metric: "score", goal: "maximize" },
  });
  using dir = folderOf(study, ({ params, task, seed }) => {
    const i = "abc".indexOf(task!);
    // The task that everybody does best on is the one that is missing.
    if (i === 2 && wave(seed + (params.agent === "new" ? 50 : 0)) > 0.1)
      return { outcome: failed("agent", "it broke"), metrics: {} };
    return { metrics: { score: 0.2 + 0.25 * i + wave(7 * i + seed + Number(params.agent === "new")) / 9 } };
  });
  const { comparisons } = await compareStudies([dir.path]);
  const arms = [comparisons[0]!.candidate, comparisons[0]!.baseline];
  const meanOf = (name: string) => arms.find((arm) => arm.name === name)!.mean!;
  for (const { name, mean } of (await rankStudy([dir.path])).arms) expect(mean).toBeCloseTo(meanOf(name), 12);
  for (const { arm, score } of (await summariseLaunch(dir.path)).summary.arms)
    expect(score.known && score.value).toBeCloseTo(meanOf(arm), 12);
  const { cells } = findOut(readStudyFile(dir.path)!, latestRecords(dir.path));
  for (const { coordinates, metrics } of cells)
    expect(metrics.score!.mean).toBeCloseTo(meanOf(String(coordinates.agent)), 12);
  const { pilot } = await powerStudy([dir.path], { effect: { value: 0.1, isRelative: true } });
  expect(pilot.baselineMean).toBeCloseTo(meanOf(pilot.arms[0]), 12);
});

test("compare says that the baseline is best, as the report does", async () => {
  const study = aStudy({
    axes: [axis("agent", "old", "new", "newer")],
    seeds: range(8),
    analysis: { metric: "score", goal: "maximize", baseline: { agent: "old" } },
  });
  using dir = folderOf(study, ({ params, seed }) => ({
    metrics: { score: ({ old: 9, new: 7, newer: 6 }[String(params.agent)] ?? 0) + wave(seed * 3) / 5 },
  }));
  const { headlines } = await compareStudies([dir.path]);
  expect(headlines).toEqual([
    expect.stringMatching(/^old, the baseline, is best on score: new is worse than old/),
  ]);
  expect((await viewStudy(dir.path)).answer!.sentence).toBe(headlines[0]);
});

test("parts of a comparison come in the order of their values, and their headlines name them", async () => {
  const study = aStudy({
    axes: [axis("policy", "a", "b", "c"), axis("load", 5, 20, 100)],
    seeds: range(6),
    analysis: { metric: "wait_ms", goal: "minimize" },
  });
  using dir = folderOf(study, ({ params, seed }) => ({
    metrics: {
      wait_ms:
        Number(params.load) * ("abc".indexOf(String(params.policy)) + 1) +
        wave(seed * 5 + "abc".indexOf(String(params.policy))),
    },
  }));
  const { headlines } = await compareStudies([dir.path], { by: ["policy"], per: "load" });
  expect(headlines.map((text) => text.slice(0, text.indexOf(" beats")))).toEqual([
    "load 5: a is best on wait_ms: it",
    "load 20: a is best on wait_ms: it",
    "load 100: a is best on wait_ms: it",
  ]);
});

test("rank says of one seed an arm what compare says: that nothing is known", async () => {
  const study = aStudy({
    axes: [axis("impl", "a", "b")],
    analysis: { metric: "ms", goal: "minimize" },
  });
  using dir = folderOf(study, ({ params }) => ({ metrics: { ms: params.impl === "a" ? 10 : 12 } }));
  const { sentence, cautions } = await rankStudy([dir.path]);
  expect(sentence).toBe((await compareStudies([dir.path])).comparisons[0]!.sentence);
  expect(cautions.join(" ")).not.toMatch(/unpaired|told apart/);
});

describe("a difference without any spread", () => {
  const shape = {
    axes: [axis("policy", "a", "b")],
    analysis: { metric: "score", goal: "maximize" as const },
  };

  test("is told exactly, in compare, rank and the report", async () => {
    using dir = folderOf(aStudy({ ...shape, seeds: range(400) }), ({ params, seed }) => ({
      metrics: { score: Math.round(1000 * wave(seed)) / 1000 + (params.policy === "b" ? 0.1 : 0) },
    }));
    const said = "b beats a on score by exactly 0.1 in every one of 400 pairs.";
    expect((await compareStudies([dir.path])).comparisons[0]!.sentence).toBe(said);
    expect((await rankStudy([dir.path], { resamples: 200 })).sentence).toBe(said);
    expect((await viewStudy(dir.path)).answer!.sentence).toBe(said);
  });

  test("is no difference where all pairs are alike; and values that are one whatever the seed are asked about", async () => {
    using twins = folderOf(aStudy({ ...shape, seeds: range(9) }), ({ seed }) => ({
      metrics: { score: wave(seed) },
    }));
    expect((await compareStudies([twins.path])).comparisons[0]!.sentence).toBe(
      "a and b are identical on score in all 9 pairs.",
    );
    using deaf = folderOf(aStudy({ ...shape, seeds: range(6) }), ({ params }) => ({
      metrics: { score: params.policy === "a" ? 1 : 2 },
    }));
    expect((await compareStudies([deaf.path])).comparisons[0]!.warnings.map(({ text }) => text)).toContain(
      "All 6 seeds of a give the same value: does the program read its seed?",
    );
  });
});

test("two axes without a baseline: all commands compare the models, over the learning rates", async () => {
  const study = aStudy({
    axes: [axis("model", "small", "big"), axis("lr", 0.001, 0.01, 0.1)],
    seeds: range(6),
    analysis: { metric: "accuracy", goal: "maximize" },
  });
  using dir = folderOf(study, ({ params, seed }) => ({
    metrics: { accuracy: (params.model === "big" ? 0.8 : 0.7) + 0.05 * wave(seed + Number(params.lr) * 100) },
  }));
  const { comparisons, baseline } = await compareStudies([dir.path]);
  expect(baseline).toBeNull();
  expect(comparisons.map(({ sentence }) => sentence)).toEqual([
    expect.stringMatching(/^big beats small on accuracy/),
  ]);
  expect((await rankStudy([dir.path])).arms.map(({ name }) => name)).toEqual(["big", "small"]);
  const view = await viewStudy(dir.path);
  expect(view.answer!.sentence).toBe(comparisons[0]!.sentence);
  // A numeric axis is an axis: lines over it with a band, not a panel for each value.
  const chart = view.charts[0] as CurvesChart;
  expect(chart).toMatchObject({ kind: "curves", xLabel: "lr", hasDots: true, xScale: "log" });
  expect(chart.panels.map(({ curves }) => curves.map(({ name, x }) => [name, x]))).toEqual([
    [
      ["small", [0.001, 0.01, 0.1]],
      ["big", [0.001, 0.01, 0.1]],
    ],
  ]);
});

test("settings that were run once each are compared as such, not unknown for their one seed", async () => {
  const sizes = [1, 10, 100, 1000, 10_000, 20_000, 40_000, 80_000];
  const study = aStudy({
    axes: [axis("algorithm", "grid", "tree"), axis("n", ...sizes)],
    iterations: { warmup: 0, measured: 5 },
    analysis: { metric: "build_ms", goal: "minimize" },
  });
  using dir = folderOf(study, ({ params }) => ({
    metrics: { build_ms: Number(params.n) * (params.algorithm === "grid" ? 1 : 2) + wave(Number(params.n)) },
  }));
  const { comparisons } = await compareStudies([dir.path]);
  expect(comparisons[0]).toMatchObject({ pairing: { n: 8, noun: "setting" }, outliers: [] });
  expect(comparisons[0]!.difference.known).toBe(true);
});

test("iterations are no learning curves, and curves go on as long as half of an arm's runs do", async () => {
  const shape = { axes: [axis("arch", "a", "b")], seeds: range(4), analysis: { metric: "loss" } };
  const lengths = [95, 120, 140, 150];
  const write = (study: Study) => {
    const folder = folderOf(study, ({ seed }) => ({ metrics: { loss: seed } }));
    const ids = folder
      .read("journal.jsonl")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as RunRecord);
    for (const { id, seed } of ids)
      folder.write(
        `runs/${id}/series.jsonl`,
        range(lengths[seed - 1]!)
          .map((step) => JSON.stringify({ step, loss: 1 / step + seed }))
          .join("\n"),
      );
    return folder;
  };
  using dir = write(aStudy(shape));
  const curves = (await viewStudy(dir.path)).charts.find((one) => one.id === "curves_loss") as CurvesChart;
  const [curve] = curves.panels[0]!.curves;
  const last = curve!.y.findLastIndex((value) => Number.isFinite(value));
  // Half of the four runs reach step 140.
  expect(curve!.x[last]).toBeGreaterThan(138);
  expect(curve!.x[last]).toBeLessThanOrEqual(140);
  expect(curve!.x.at(-1)).toBe(150);
  using iterated = write(aStudy({ ...shape, iterations: { warmup: 0, measured: 5 } }));
  const shown = (await viewStudy(iterated.path)).charts.map(({ id }) => id);
  expect(shown).not.toContain("curves_loss");
  expect(shown).toEqual(expect.arrayContaining(["iterations_loss", "sequence_loss"]));
  const alone = await chartStudy([iterated.path], { kind: "curves", metrics: ["loss"] });
  expect(alone).toMatchObject({ title: expect.stringMatching(/^Iterations: loss in /), xLabel: "iteration" });
});

describe("the order in which runs ended changes no answer", () => {
  const study = aStudy({
    axes: [axis("arch", "trxl", "vit")],
    seeds: range(40),
    analysis: { metric: "reward", goal: "maximize" },
  });
  const records = recordsOf(study, ({ params, seed }) => ({
    metrics: { reward: wave(seed + (params.arch === "vit" ? 100 : 0)) * (params.arch === "vit" ? 9 : 8) },
  }));
  const mixed = records.map((_, i) => records[(i * 7 + 3) % records.length]!);

  test.each(["bca", "bootstrap-t", "percentile", "permutation"] as const)("of %s", async (method) => {
    using dir = studyFolder(study, records);
    using other = studyFolder(study, mixed);
    const [a, b] = await Promise.all(
      [dir, other].map(async ({ path }) => (await compareStudies([path], { method })).comparisons[0]!),
    );
    expect([b!.difference, b!.p, b!.check]).toEqual([a!.difference, a!.p, a!.check]);
  });

  test("of rank and its profiles", async () => {
    using dir = studyFolder(study, records);
    using other = studyFolder(study, mixed);
    const [a, b] = await Promise.all([dir, other].map(({ path }) => rankStudy([path], {})));
    expect([b!.arms, b!.profiles]).toEqual([a!.arms, a!.profiles]);
  });
});
