import { describe, expect, test } from "vitest";
import { compareStudies } from "../../src/api/compare-studies.ts";
import { chartStudy } from "../../src/api/plot-study.ts";
import { powerStudy } from "../../src/api/power-study.ts";
import { rankStudy } from "../../src/api/rank-study.ts";
import { RandomStream } from "../../src/core/random.ts";
import { failed, type RunRecord } from "../../src/core/run.ts";
import type { Study } from "../../src/core/study.ts";
import { designOf } from "../../src/design/design.ts";
import { summariseLaunch } from "../../src/read/summarise-launch.ts";
import { viewStudy } from "../../src/read/view-study.ts";
import { normalQuantile } from "../../src/stats/index.ts";
import { aStudy, axis } from "../support/a-study.ts";
import { recordsOf, studyFolder } from "../support/a-study-folder.ts";
import { TempFolder } from "../support/temp-folder.ts";

const STREAM = new RandomStream(14, "same answers");
const noise = (...key: (string | number | null)[]) =>
  normalQuantile(
    STREAM.uniform([...key.join("/")].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7)),
  );

const seeds = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
const twoPolicies = (part: Partial<Study> = {}) =>
  aStudy({ axes: [axis("policy", "a", "b")], seeds: seeds(6), ...part });

describe("a study that names no metric", () => {
  const study = twoPolicies();
  const records = recordsOf(study, ({ params, seed }) => {
    const ms =
      (params.policy === "b" ? 80 : 100) + noise("shared", seed) + noise(String(params.policy), seed);
    return { metrics: { duration_ms: ms, duration_ms_p50: ms - 2, duration_ms_p95: ms + 20 } };
  });

  test("is about one and the same in compare, rank, power and the report", async () => {
    using folder = studyFolder(study, records);
    const { metric, answer } = await viewStudy(folder.path);
    const [one] = (await compareStudies([folder.path])).comparisons;
    expect(metric).toMatchObject({ name: "duration_ms_p95", unit: "ms" });
    expect(one!.metric).toBe(metric!.name);
    expect(answer!.sentence).toBe(one!.sentence);
    expect((await rankStudy([folder.path], { goal: "minimize" })).measured.metric).toBe(metric!.name);
    const effect = { value: 0.1, isRelative: true };
    expect((await powerStudy([folder.path], { effect })).pilot).toMatchObject({ arms: ["a", "b"] });
  });
});

describe("rank", () => {
  const rankOf = async (study: Study, records: RunRecord[]) => {
    using folder = studyFolder(study, records);
    const { headlines, comparisons } = await compareStudies([folder.path]);
    return { rank: await rankStudy([folder.path], { resamples: 200 }), headlines, comparisons };
  };
  const analysis = { metric: "score", goal: "maximize" } as const;

  test("says of the best arm what compare says, also where arms are identical", async () => {
    const study = twoPolicies({ axes: [axis("policy", "a", "b", "c")], analysis });
    const alike = await rankOf(
      study,
      recordsOf(study, ({ params, seed }) => ({
        metrics: { score: noise("shared", seed) - (params.policy === "c" ? 5 + noise("c", seed) : 0) },
      })),
    );
    expect(alike.rank.sentence).toBe(alike.headlines[0]);
    expect(alike.rank.sentence).toBe("a and b are identical on score; they beat c.");
  });

  test("says what the winner pays elsewhere, as compare and the report do", async () => {
    const study = twoPolicies({
      seeds: seeds(12),
      analysis: {
        ...{ metric: "wall_ms", goal: "minimize", baseline: { policy: "a" } },
        also: [{ metric: "cost_usd", goal: "minimize" }],
      },
    });
    using folder = studyFolder(
      study,
      recordsOf(study, ({ params, seed }) => {
        const isNew = params.policy === "b";
        return {
          metrics: {
            wall_ms: (isNew ? 80 : 100) + noise("w", String(params.policy), seed),
            cost_usd: (isNew ? 4 : 1) + noise("c", String(params.policy), seed) / 10,
          },
        };
      }),
    );
    const { also } = await rankStudy([folder.path], { resamples: 200 });
    expect(also).toEqual([expect.stringMatching(/^But b is worse than a on cost_usd by 3/)]);
    expect((await compareStudies([folder.path])).also).toEqual(also);
    expect((await viewStudy(folder.path)).answer!.also).toEqual(also);
    expect((await rankStudy([folder.path], { metric: "wall_ms", resamples: 200 })).also).toEqual([]);
  });

  test("knows no chance of being best from one seed", async () => {
    const study = twoPolicies({ seeds: [1], analysis });
    const { rank, comparisons } = await rankOf(
      study,
      recordsOf(study, ({ params }) => ({ metrics: { score: params.policy === "a" ? 1.5 : 2.5 } })),
    );
    expect(rank.arms.map(({ chanceOfBest }) => chanceOfBest)).toEqual([null, null]);
    expect(rank.sentence).toBe(comparisons[0]!.sentence);
    expect(rank.sentence).toContain("unknown, because there is one pair only");
  });
});

describe("a chart of pairs", () => {
  test.each([
    ["passes", (policy: string, seed: number) => Number(noise(policy, seed) > (policy === "a" ? 0.3 : -0.6))],
    ["times", (policy: string, seed: number) => Math.exp(2 * noise(policy, seed)) * (policy === "a" ? 1 : 4)],
  ])("has the interval of compare: %s", async (_, measure) => {
    const study = twoPolicies({
      seeds: seeds(24),
      analysis: { metric: "score", goal: "maximize", baseline: { policy: "a" } },
    });
    using folder = studyFolder(
      study,
      recordsOf(study, ({ params, seed }) => ({ metrics: { score: measure(String(params.policy), seed) } })),
    );
    const [one] = (await compareStudies([folder.path])).comparisons;
    const chart = await chartStudy([folder.path], { kind: "paired" });
    if (chart.kind !== "paired" || !one!.difference.known) throw new Error("no pairs");
    const isRatio = one!.scale === "ratio";
    expect(chart.isRatio ?? false).toBe(isRatio);
    const range = isRatio && one!.relative.known ? one!.relative : one!.difference;
    const factor = isRatio ? 100 : 1;
    expect(chart.interval![0]).toBeCloseTo(factor * range.low, 1);
    expect(chart.interval![1]).toBeCloseTo(factor * range.high, 1);
    expect(chart.notes[0]).toContain(one!.method!.name);
  });
});

describe("power of three arms", () => {
  const study = twoPolicies({
    axes: [axis("policy", "a", "b", "c")],
    seeds: seeds(12),
    analysis: { metric: "score", goal: "maximize", baseline: { policy: "b" } },
  });
  const records = recordsOf(study, ({ params, seed }) => ({
    metrics: {
      score: noise("shared", seed) + (params.policy === "c" ? 3 : 1) * noise(String(params.policy), seed),
    },
  }));
  const effect = { value: 1, isRelative: false };

  test("plans for every comparison with the study's baseline, by the one whose differences spread most", async () => {
    using folder = studyFolder(study, records);
    const found = await powerStudy([folder.path], { effect });
    expect(found).toMatchObject({ comparisons: 2, alpha: 0.025, arms: 3, pilot: { arms: ["b", "c"] } });
    expect(found.plans[0]!.runs).toBe(3 * found.plans[0]!.units);
    const two = await powerStudy([folder.path], { effect, candidate: "a" });
    expect(two).toMatchObject({ comparisons: 1, alpha: 0.05, arms: 2, pilot: { arms: ["b", "a"] } });
  });

  test("without a baseline plans for all pairs, as compare judges them", async () => {
    using folder = studyFolder({ ...study, analysis: { metric: "score", goal: "maximize" } }, records);
    expect(await powerStudy([folder.path], { effect })).toMatchObject({ comparisons: 3, arms: 3 });
  });
});

describe("learning curves", () => {
  test("have every run, however early it ended, in the report and as a chart alone", async () => {
    const study = twoPolicies({ seeds: seeds(4), analysis: { metric: "reward", goal: "maximize" } });
    const records = recordsOf(study, () => ({ metrics: { reward: 1 } }));
    using folder = studyFolder(study, records);
    for (const [i, { id }] of records.entries()) {
      const steps = Array.from({ length: 20 + 5 * i }, (_, step) =>
        JSON.stringify({ step, reward: step / 50 }),
      );
      folder.write(`runs/${id}/series.jsonl`, `${steps.join("\n")}\n`);
    }
    const alone = await chartStudy([folder.path], { kind: "curves", metrics: ["reward"] });
    const [own] = (await viewStudy(folder.path)).charts.filter(({ kind }) => kind === "curves");
    for (const chart of [alone, own!]) {
      if (chart.kind !== "curves") throw new Error("no curves");
      expect(chart.panels[0]!.curves.map(({ runs }) => runs!.length)).toEqual([4, 4]);
      expect(chart.panels[0]!.curves[0]!.x.at(-1)).toBe(54);
    }
  });
});

describe("tasks x rollouts with failures", () => {
  const study = twoPolicies({
    tasks: ["t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8"],
    seeds: seeds(3),
    analysis: { metric: "score", goal: "maximize" },
  });
  const records = recordsOf(study, ({ params, seed, task }) =>
    noise("fails", String(params.policy), seed, task) > 0.8
      ? { outcome: failed("agent", "it broke"), metrics: {} }
      : { metrics: { score: 5 + noise("task", task) + noise(String(params.policy), seed, task) / 3 } },
  );
  const target: Study["target"] = { kind: "command", argv: ["x"], cwd: ".", watch: [] };
  const file = { study: { ...study, target } };

  test("summarize takes a failed run for what compare takes it for", async () => {
    using folder = studyFolder(study, records, file);
    const [one] = (await compareStudies([folder.path])).comparisons;
    const { arms } = (await summariseLaunch(folder.path)).summary;
    for (const arm of [one!.baseline, one!.candidate]) {
      const { score } = arms.find(({ arm: name }) => name === arm.name)!;
      expect(score).toMatchObject({ known: true, value: expect.closeTo(arm.mean!, 9) });
    }
  });

  test("are planned by what the tasks that were run several times tell of the noise", async () => {
    using folder = studyFolder(study, records, file);
    const { plans } = await powerStudy([folder.path], { effect: { value: 0.5, isRelative: false } });
    expect(plans.map(({ rollouts }) => rollouts)).toEqual([1, 2, 4, 8]);
    expect(plans[0]!.units).toBeGreaterThan(plans[2]!.units);
  });

  test("a study without scores is not summarised as one whose rollouts are all missing", async () => {
    using folder = studyFolder(
      study,
      records.map((record) => ({ ...record, metrics: { solved: 1 } })),
      file,
    );
    await expect(summariseLaunch(folder.path)).rejects.toThrow(/is not a study of rollouts/);
  });
});

describe("counts of passes among samples", () => {
  test("are compared and ranked as the single samples are", async () => {
    const passes = (arm: string, task: number, k: number) => noise(arm, task, k) > (arm === "a" ? 0.4 : -0.4);
    const cells = ["a", "b"].flatMap((arm) => seeds(9).map((task) => ({ arm, task })));
    using dir = new TempFolder({
      "rows.csv": [
        "model,task,correct",
        ...cells.flatMap(({ arm, task }) =>
          seeds(5).map((k) => `${arm},t${task},${Number(passes(arm, task, k))}`),
        ),
      ].join("\n"),
      "counts.csv": [
        "model,task,samples,correct",
        ...cells.map(
          ({ arm, task }) => `${arm},t${task},5,${seeds(5).filter((k) => passes(arm, task, k)).length}`,
        ),
      ].join("\n"),
    });
    const asked = { by: ["model"], task: "task", goal: "maximize" } as const;
    const ask = { ...asked, by: [...asked.by] };
    const [single] = (await compareStudies([`${dir.path}/rows.csv`], { ...ask, metrics: ["correct"] }))
      .comparisons;
    const counted = { ...ask, samples: "samples" };
    const [count] = (await compareStudies([`${dir.path}/counts.csv`], { ...counted, metrics: ["correct"] }))
      .comparisons;
    expect(count!.p).toBeCloseTo(single!.p!, 9);
    expect(count!.candidate.mean).toBeCloseTo(single!.candidate.mean!, 9);
    const { arms } = await rankStudy([`${dir.path}/counts.csv`], { ...counted, metric: "correct" });
    expect(arms[0]).toMatchObject({ name: "b", mean: expect.closeTo(single!.candidate.mean!, 9) });
  });
});

describe("what is drawn", () => {
  test("a cost of one dollar in every run is no rate", async () => {
    const study = twoPolicies({ analysis: { metric: "cost_usd", goal: "minimize" } });
    using folder = studyFolder(
      study,
      recordsOf(study, () => ({ metrics: { cost_usd: 1 } })),
    );
    const { answer } = await viewStudy(folder.path);
    expect(answer!.sentence).toBe("a and b are identical on cost_usd in all 6 pairs.");
  });

  test("axes that move together are one: no panel for each value of the second", () => {
    const study = aStudy({
      axes: [
        axis("mode", "slow", "fast"),
        {
          names: ["depth", "width"],
          rows: [
            [1, 8],
            [2, 4],
            [4, 2],
          ],
        },
      ],
      seeds: seeds(3),
    });
    const records = recordsOf(study, () => ({ metrics: { score: 1 } }));
    expect(designOf([{ label: "", dir: "", study, records }])).toMatchObject({ x: "depth", facetBy: [] });
  });
});
