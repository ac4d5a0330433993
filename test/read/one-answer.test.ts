import { describe, expect, test } from "vitest";
import type { Comparison } from "../../src/analysis/compare/comparison.ts";
import { gateOf } from "../../src/analysis/compare/gate.ts";
import { findOut } from "../../src/analysis/findings.ts";
import type { SearchPoint } from "../../src/analysis/search/search-points.ts";
import type { CellSummary } from "../../src/analysis/summarise.ts";
import type { VarianceFindings } from "../../src/analysis/variance/analyse-variance.ts";
import { bestStudy } from "../../src/api/best-study.ts";
import { compareStudies } from "../../src/api/compare-studies.ts";
import { historyStudy } from "../../src/api/history-study.ts";
import { CHART_KINDS, plotStudy } from "../../src/api/plot-study.ts";
import { type PowerFindings, powerStudy } from "../../src/api/power-study.ts";
import { rankStudy } from "../../src/api/rank-study.ts";
import { varianceStudy } from "../../src/api/variance-study.ts";
import { readStudyFile } from "../../src/archive/read-records.ts";
import { UserError } from "../../src/core/errors.ts";
import { RandomStream } from "../../src/core/random.ts";
import { failed, type MetricInfos, type Owner, type RunRecord } from "../../src/core/run.ts";
import type { Axis, Study } from "../../src/core/study.ts";
import { designOf } from "../../src/design/design.ts";
import type { ArmsChart } from "../../src/plots/chart.ts";
import { summariseLaunch } from "../../src/read/summarise-launch.ts";
import { viewStudy } from "../../src/read/view-study.ts";
import { normalQuantile } from "../../src/stats/index.ts";
import { aSearch } from "../support/a-search.ts";
import { aStudy, axis } from "../support/a-study.ts";
import { recordsOf, studyFolder } from "../support/a-study-folder.ts";

const STUDIES = 300;
const OWNERS: Owner[] = ["agent", "infrastructure", "grader", "budget"];

/** Draws that follow one another from one seed. */
class Dice {
  readonly #stream: RandomStream;
  #at = 0;

  constructor(seed: number) {
    this.#stream = new RandomStream(seed, "one answer");
  }

  share(): number {
    return this.#stream.uniform(this.#at++);
  }

  below(count: number): number {
    return Math.floor(this.share() * count);
  }

  from(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  chance(share: number): boolean {
    return this.share() < share;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  normal(): number {
    return normalQuantile(Math.min(1 - 1e-9, Math.max(1e-9, this.share())));
  }
}

interface Drawn {
  study: Study;
  records: RunRecord[];
  metrics: MetricInfos;
}

/** A study of any shape: words, numbers, conditional and zipped axes, variants, tasks, repeats, iterations, unequal seeds, failures, gaps. */
function drawStudy(seed: number): Drawn {
  const dice = new Dice(seed);
  const axes: Axis[] = [];
  if (dice.chance(0.8))
    axes.push(axis("policy", ...["fifo", "dag", "full", "srpt"].slice(0, dice.from(2, 4))));
  if (dice.chance(0.3)) axes.push(axis("size", ...[10, 50, 200, 1000].slice(0, dice.from(2, 4))));
  if (dice.chance(0.25)) axes.push(axis("mode", "plain", "cached"));
  if (dice.chance(0.2) && axes[0]?.names[0] === "policy")
    axes.push({ ...axis("quantum", 5, 10), when: "policy == 'fifo'" });
  if (dice.chance(0.15))
    axes.push({
      names: ["depth", "width"],
      rows: [
        [1, 8],
        [2, 4],
        [4, 2],
      ],
    });
  const hasTasks = dice.chance(0.4);
  const shape = {
    axes,
    variants: ["baseline", "no_hedge"]
      .slice(0, dice.chance(0.25) ? 2 : 1)
      .map((name) => ({ name, params: {}, flags: [] })),
    seeds: Array.from({ length: dice.from(1, 7) }, (_, i) => i + 1),
    repeats: { warmup: 0, measured: dice.chance(0.2) ? dice.from(2, 4) : 1 },
    ...(hasTasks && { tasks: Array.from({ length: dice.from(2, 9) }, (_, i) => `task-${i}`) }),
    ...(dice.chance(0.2) && { order: "interleaved" as const }),
  };
  const hasIterations = dice.chance(0.2);
  const isRate = !hasIterations && dice.chance(0.35);
  const goal = hasIterations ? "minimize" : dice.pick(["minimize", "maximize"] as const);
  const hasBaseline = dice.chance(0.5) && axes.length > 0;
  const study = aStudy({
    ...shape,
    ...(hasIterations && { iterations: { warmup: 1, measured: 5 } }),
    analysis: {
      metric: "score",
      goal,
      ...(hasBaseline && { baseline: { [axes[0]!.names[0]!]: axes[0]!.rows[0]![0]! } }),
    },
  });
  return {
    ...{ study, records: drawRecords(study, dice, { isRate, hasIterations }) },
    // A time over iterations is compared by its least or its median, whatever asks.
    metrics: hasIterations ? { score: { unit: "ms", direction: "minimize" } } : {},
  };
}

/** Arms differ by what their parameters say, or not at all; runs of one seed and task share some of their noise. */
function drawRecords(
  study: Study,
  dice: Dice,
  { isRate, hasIterations }: { isRate: boolean; hasIterations: boolean },
): RunRecord[] {
  const effects = new Map<string, number>();
  const strength = dice.pick([0, 0, 0.3, 3]);
  const noise = dice.pick([0, 1, 1, 1]);
  const [failing, gaps] = [dice.pick([0, 0, 0.1, 0.3]), dice.pick([0, 0, 0, 0.2])];
  // Some arms stop after a few of the seeds.
  const isUneven = dice.chance(0.2);
  const waiting = dice.pick([0.1, 0.9]);
  const shared = (key: string) => {
    if (!effects.has(key)) effects.set(key, dice.normal());
    return effects.get(key)!;
  };
  return recordsOf(study, ({ params, variant, seed, task }) => {
    if (dice.chance(gaps)) return undefined;
    if (isUneven && seed > 2 && shared(`short ${params.policy}`) > 0.5) return undefined;
    if (dice.chance(failing)) return { outcome: failed(dice.pick(OWNERS), "it broke"), metrics: {} };
    const level =
      strength * Object.entries(params).reduce((sum, [name, value]) => sum + shared(`${name}=${value}`), 0) +
      strength * shared(variant) +
      noise * (shared(`seed ${seed}`) + shared(`task ${task}`) + dice.normal());
    const score = isRate ? Number(level > 0) : 20 + level;
    const spread = hasIterations ? iterationsOf(score, dice, waiting) : {};
    return { metrics: { score, ...spread, cost_usd: 1 + dice.share() } };
  });
}

/** What five iterations leave beside their mean. */
function iterationsOf(mean: number, dice: Dice, waiting: number): RunRecord["metrics"] {
  const least = mean - dice.share();
  const median = mean - 0.2 * dice.share();
  return {
    ...{ score_min: least, score_p05: least, score_p25: least, score_p50: median, score_p95: mean + 1 },
    ...{ score_sd: 0.5, score_n: 5, waiting_share: waiting },
  };
}

type Said<T> = { said: T } | { refused: string };

/** What a command says, or the one message with which it refuses; anything else that is thrown is a fault. */
async function ask<T>(answer: Promise<T>): Promise<Said<T>> {
  try {
    return { said: await answer };
  } catch (error) {
    if (error instanceof UserError) return { refused: error.message };
    throw error;
  }
}

/** The verdict as seen from one of the two arms, whichever way round the pair was asked. */
function verdictFrom(
  arm: string,
  { candidate, verdict }: { candidate: string; verdict: Comparison["verdict"] },
) {
  if (candidate === arm || (verdict !== "better" && verdict !== "worse")) return verdict;
  return verdict === "better" ? "worse" : "better";
}

const close = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));

describe(`of ${STUDIES} studies of every shape, all commands give one answer`, () => {
  const seeds = Array.from({ length: STUDIES }, (_, i) => i + 1);

  test.each(Array.from({ length: 10 }, (_, i) => i))("part %i", async (part) => {
    let [compared, histories, cells] = [0, 0, 0];
    for (const seed of seeds.filter((one) => one % 10 === part)) {
      const { study, records, metrics } = drawStudy(seed);
      using folder = studyFolder(study, records, { metrics });
      const dir = folder.path;
      const told = await askAll(dir, { withPlans: seed % 6 === 0 }).catch((error: unknown) => {
        throw new Error(`study ${seed}: ${String(error)}`, { cause: error });
      });
      if (told === null) continue;
      compared++;
      const context = `study ${seed} (${JSON.stringify({ axes: study.axes, analysis: study.analysis })})`;
      const { compare, rank, view, power, variance } = told;

      // The gate fires where a comparison says worse, and a plan is for all comparisons: p is adjusted for those that had one.
      const gate = gateOf(compare, { on: ["regression"], allowUnjudged: true });
      expect(gate.trips.length, context).toBe(
        compare.comparisons.filter(({ verdict }) => verdict === "worse").length,
      );
      if (power) {
        expect(power.measured.baseline, context).toBe(compare.baseline);
        const { arms } = power;
        expect(power.comparisons, context).toBe(
          compare.baseline === null ? (arms * (arms - 1)) / 2 : arms - 1,
        );
        expect(power.comparisons, context).toBeGreaterThanOrEqual(compare.family);
      }

      // The same arms, counted and estimated alike.
      const arms = new Map(
        compare.comparisons
          .flatMap(({ baseline, candidate }) => [baseline, candidate])
          .map((arm) => [arm.name, arm]),
      );
      const filled = [...arms.values()].filter(({ mean }) => mean !== null);
      expect(new Set(rank.arms.map(({ name }) => name)), context).toEqual(
        new Set(filled.map(({ name }) => name)),
      );
      for (const arm of rank.arms) {
        expect(close(arm.mean, arms.get(arm.name)!.mean!), `${context}: ${arm.name}`).toBe(true);
        expect(arm.n, `${context}: ${arm.name}`).toBe(arms.get(arm.name)!.units.length);
        expect(arm.interval, context).toEqual(arms.get(arm.name)!.interval);
      }

      // A cell that is an arm has that arm's numbers, in the report's table, too.
      const { unit, blocks, averaged, runs: placed } = designOf([{ label: "", dir, study, records }]);
      if (unit !== "setting" && blocks.length + averaged.length === 0)
        for (const cell of findOut(readStudyFile(dir)!, records).cells) {
          const own = placed.find(({ record }) => isIn(cell, record));
          const estimate = own && arms.get(own.arm);
          const told = estimate && cell.metrics[compare.comparisons[0]!.metric];
          if (!told || estimate.mean === null) continue;
          expect(close(told.mean!, estimate.mean), `${context}: ${own.arm}`).toBe(true);
          expect(told.n, `${context}: ${own.arm}`).toBe(estimate.units.length);
          cells++;
        }

      // What a summary of rollouts gives as an arm's score is the mean that is compared.
      if (study.tasks !== undefined && study.iterations.measured === 1)
        for (const { arm, score, scoreInterval } of (await summariseLaunch(dir)).summary.arms) {
          const own = arms.get(arm);
          if (!own) continue;
          expect(score.known ? score.value : null, `${context}: ${arm}`).toBe(own.mean);
          expect(scoreInterval, `${context}: ${arm}`).toEqual(own.interval);
        }

      // The newest point of a history is what compare says of that cell.
      const names = [...new Set(study.axes.flatMap((one) => one.names))];
      const by = study.variants.length > 1 ? [...names, "variant"] : names;
      if (power && by.length > 0) {
        const cells = new Map(
          (await compareStudies([dir], { by })).comparisons
            .flatMap(({ baseline, candidate }) => [baseline, candidate])
            .map((arm) => [`${study.target.kind === "shipped" ? study.target.name : ""}: ${arm.name}`, arm]),
        );
        using older = studyFolder(study, [...records.map(earlier), ...records], { metrics });
        const found = await historyStudy([older.path]);
        histories++;
        expect(found.cells.length, context).toBeGreaterThan(1);
        for (const { name, points } of found.cells) {
          const { mean, units } = cells.get(name)!;
          expect(points.length, `${context}: ${name}`).toBe(2);
          expect(close(points[1]!.mean, mean!), `${context}: ${name}`).toBe(true);
          expect(points[1]!.n, `${context}: ${name}`).toBe(units.length);
        }
      }

      for (const { name, values } of variance?.panels[0]?.arms ?? [])
        expect(values, `${context}: ${name}`).toEqual(arms.get(name)?.values ?? []);

      // No interval says other than its verdict, however many are judged together.
      for (const { difference, verdict, isExact, sentence } of compare.comparisons)
        if (difference.known && verdict !== "unknown" && !isExact)
          expect(difference.low > 0 || difference.high < 0, `${context}: ${sentence}`).toBe(
            ["better", "worse", "higher", "lower"].includes(verdict),
          );

      // The same verdicts with the same p, whichever command is asked.
      for (const one of compare.comparisons) {
        const [a, b] = [one.candidate.name, one.baseline.name];
        const pair = rank.pairs.find(
          ({ better, worse }) => [better, worse].sort().join() === [a, b].sort().join(),
        );
        if (!pair) {
          expect(one.verdict, context).toBe("unknown");
          continue;
        }
        expect(
          verdictFrom(a, { candidate: pair.better, verdict: pair.verdict }),
          `${context}: ${one.sentence}`,
        ).toBe(one.verdict);
        expect(pair.adjustedP === null ? null : close(pair.adjustedP, one.adjustedP!), context).not.toBe(
          false,
        );
      }
      for (const { better, worse, verdict } of rank.pairs) {
        const lettersOf = (name: string) => rank.arms.find((arm) => arm.name === name)!.letters;
        const isShared = [...lettersOf(better)].some((letter) => lettersOf(worse).includes(letter));
        expect(isShared, `${context}: ${better}, ${worse}`).toBe(verdict !== "better" && verdict !== "worse");
      }

      // The report says what compare says, and nobody contradicts who leads.
      const sentences = [...compare.headlines, ...compare.comparisons.map(({ sentence }) => sentence)];
      const known = sentences.filter((sentence) => !sentence.includes("unknown, because"));
      const { answer } = view;
      for (const sentence of answer!.others) expect(sentences, context).toContain(sentence);
      if (known.length > 0 && compare.baseline === null)
        expect(answer!.sentence.includes(rank.arms[0]!.name), `${context}: ${answer!.sentence}`).toBe(true);
      if (answer!.verdict === "better")
        expect(
          sentences.some((sentence) => answer!.sentence.endsWith(sentence.slice(sentence.indexOf(" by ")))),
          `${context}: ${answer!.sentence}`,
        ).toBe(true);

      // No interval of a share leaves 0 to 1, in a table or a chart.
      const chart = view.charts.find((one): one is ArmsChart & { id: string } => one.kind === "arms");
      for (const { name, interval } of rank.arms)
        if (interval.known && isShare(records)) {
          expect(interval.low, `${context}: ${name}`).toBeGreaterThanOrEqual(0);
          expect(interval.high, `${context}: ${name}`).toBeLessThanOrEqual(1);
        }
      if (chart && chart.panels.length === 1 && chart.title.startsWith(`${compare.comparisons[0]!.metric} `))
        for (const [i, row] of chart.rows.entries()) {
          const cell = chart.panels[0]!.cells[i];
          if (!cell) continue;
          expect(cell.n, context).toBe(arms.get(row.name)!.units.length);
          expect(cell.mean, context).toBeCloseTo(arms.get(row.name)!.mean!, 3);
        }
    }
    expect(compared).toBeGreaterThan(10);
    expect(cells).toBeGreaterThan(10);
    if (part % 2 === 0) expect(histories).toBeGreaterThan(0);
  });
});

describe("of 120 searches, best names the points, counts and means that compare has", () => {
  test.each(Array.from({ length: 4 }, (_, i) => i))("part %i", async (part) => {
    let [met, led] = [0, 0];
    for (let seed = 1000 + part; seed < 1120; seed += 4) {
      const { study, records } = drawSearch(seed);
      using folder = studyFolder(study, records, { metrics: {} });
      const context = `search ${seed}`;
      const by = study.search!.space.map(({ name }) => name);
      const told = await ask(compareStudies([folder.path], { by, metrics: ["score"] }));
      const { found } = await bestStudy(folder.path);
      if ("refused" in told) continue;
      const arms = new Map(
        told.said.comparisons
          .flatMap(({ baseline, candidate }) => [baseline, candidate])
          .map((arm) => [arm.name, arm]),
      );
      const nameOf = (point: SearchPoint) =>
        [...arms.keys()].find((name) => name === by.map((one) => `${one}=${point.params[one]}`).join(", "));
      for (const point of found.points) {
        const arm = arms.get(nameOf(point) ?? "");
        if (point.state === "failed" || !arm) continue;
        met++;
        expect(close(point.values[0]!, arm.mean!), `${context}: ${arm.name}`).toBe(true);
        expect(point.n, `${context}: ${arm.name}`).toBe(arm.units.length);
        if (arm.interval.known) expect(point.intervals[0], context).toEqual(arm.interval);
      }
      const isWhole = found.points.every(({ state }) => state === "ok");
      if (!isWhole) continue;
      led++;
      const [first] = told.said.comparisons;
      expect(close(found.best[0]!.values[0]!, first!.candidate.mean!), context).toBe(true);
    }
    expect(met).toBeGreaterThan(40);
    expect(led).toBeGreaterThan(3);
  });
});

/** A search over one or two parameters, with tasks, unequal failures and passes or numbers. */
function drawSearch(seed: number): Drawn {
  const dice = new Dice(seed);
  const names = ["lr", "depth"].slice(0, dice.from(1, 2));
  const values = [1, 2, 4].slice(0, dice.from(2, 3));
  const isRate = dice.chance(0.4);
  const goal = dice.pick(["minimize", "maximize"] as const);
  const study = aStudy({
    axes: names.map((name) => axis(name, ...values)),
    seeds: Array.from({ length: dice.from(1, 5) }, (_, i) => i + 1),
    ...(dice.chance(0.4) && { tasks: Array.from({ length: dice.from(2, 6) }, (_, i) => `task-${i}`) }),
  });
  const records = drawRecords(study, dice, { isRate, hasIterations: false });
  const space = Object.fromEntries(names.map((name) => [name, { kind: "categorical" as const, values }]));
  const search = aSearch(space, { method: "grid", objectives: [{ metric: "score", goal }] });
  return {
    study: { ...study, axes: [], search, analysis: { metric: "score", goal } },
    ...{ records, metrics: {} },
  };
}

function isIn({ coordinates, variant }: CellSummary, record: RunRecord): boolean {
  return (
    record.variant === variant &&
    Object.entries(coordinates).every(([name, value]) => record.params[name] === value) &&
    Object.keys(coordinates).length === Object.keys(record.params).length
  );
}

/** The same run by the program as it was, and what it said then. */
function earlier(record: RunRecord): RunRecord {
  const { score } = record.metrics;
  const metrics = typeof score === "number" ? { ...record.metrics, score: 1 - score } : record.metrics;
  return {
    ...record,
    metrics,
    id: `${record.id}-0`,
    program: "noop@0",
    startedAtMs: record.startedAtMs - 1e6,
  };
}

function isShare(records: readonly RunRecord[]): boolean {
  return records.every(
    ({ metrics }) => metrics.score === undefined || metrics.score === 0 || metrics.score === 1,
  );
}

type Asked = [
  Said<Awaited<ReturnType<typeof compareStudies>>>,
  Said<Awaited<ReturnType<typeof rankStudy>>>,
  Said<Awaited<ReturnType<typeof viewStudy>>>,
];

/** Asks everything of a study; null where there is nothing to compare, which all must agree on. */
async function askAll(dir: string, { withPlans }: { withPlans: boolean }) {
  const asked: Asked = [
    await ask(compareStudies([dir])),
    await ask(rankStudy([dir], { resamples: 200, withProfiles: false })),
    await ask(viewStudy(dir)),
  ];
  // What plans and plots either answers or refuses in one message.
  let power: PowerFindings | undefined;
  let variance: VarianceFindings | undefined;
  if (withPlans) {
    const planned = await ask(powerStudy([dir], { effect: { value: 0.1, isRelative: true } }));
    if ("said" in planned) power = planned.said;
    const spread = await ask(varianceStudy([dir], {}));
    if ("said" in spread) variance = spread.said;
    for (const kind of CHART_KINDS.filter((one) => one !== "curves" && one !== "radial"))
      await ask(plotStudy([dir], { kind }));
  }
  const [compare, rank, view] = asked;
  if ("refused" in view) throw new Error(`the report refuses: ${view.refused}`);
  if ("said" in compare && "said" in rank)
    return { ...{ compare: compare.said, rank: rank.said, view: view.said }, power, variance };
  if ("said" in rank) throw new Error("compare refuses what rank ranks");
  if ("said" in compare && compare.said.comparisons.some(({ verdict }) => verdict !== "unknown"))
    throw new Error(`rank refuses what compare compares: ${"refused" in rank ? rank.refused : ""}`);
  return null;
}
