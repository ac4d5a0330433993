import { describe, expect, test } from "vitest";
import { groupPoints } from "../../../src/analysis/history/group-points.ts";
import type { CellHistory, PastRun } from "../../../src/analysis/history/history.ts";
import { stepSentence } from "../../../src/analysis/history/step-sentence.ts";
import { RandomStream } from "../../../src/core/random.ts";
import { failed, type RunRecord } from "../../../src/core/run.ts";
import { metricFacts } from "../../../src/design/metric.ts";
import { normalQuantile } from "../../../src/stats/index.ts";
import { aRecord } from "../../support/a-study.ts";

let seed = 0;

/** A run at a commit, under a seed of its own unless told. */
function run(
  commit: string,
  cost: number,
  { iterations = 1, ...part }: Partial<RunRecord> & { iterations?: number } = {},
): PastRun {
  const state = { key: commit, label: commit, commit, committedAtMs: commit.charCodeAt(0) };
  const record = aRecord({ params: {}, seed: ++seed, metrics: { cost }, startedAtMs: 0, ...part });
  return { target: "t", state, iterations, record: { ...record, id: `${record.seed} ${record.task}` } };
}

function cellsOf(runs: readonly PastRun[]): CellHistory[] {
  return groupPoints(runs, { metric: metricFacts("cost") }).cells;
}

describe("a history of starts on a machine that is now and then slow", () => {
  const draw = new RandomStream(7, "history").sequence();
  /** One per cent of noise, and one start in twelve on a machine that runs at two thirds of its speed or less. */
  const start = (ms: number) =>
    ms * Math.exp(0.01 * normalQuantile(draw())) * (draw() < 1 / 12 ? 1.1 + 0.9 * draw() : 1);
  const history = (change: number) => {
    const runs = Array.from({ length: 16 }, (_, commit) =>
      Array.from({ length: 10 }, () =>
        run(String.fromCharCode(97 + commit), 0, {
          metrics: { duration_ms_min: start(commit < 8 ? 1 : 1 + change) },
        }),
      ),
    ).flat();
    const [cell] = groupPoints(runs, { metric: metricFacts("duration_ms_min") }).cells;
    return cell!.steps.known ? cell!.steps.steps.map(({ at }) => at) : [];
  };

  test("a slowdown of 5 % is a step at its commit, and none is claimed where there is none", () => {
    const slower = Array.from({ length: 40 }, () => history(0.05));
    expect(slower.filter((steps) => steps.includes(8)).length).toBeGreaterThanOrEqual(36);
    // At 5 % a hundred histories may show a few by chance.
    const same = Array.from({ length: 100 }, () => history(0));
    expect(same.filter((steps) => steps.length === 0).length).toBeGreaterThanOrEqual(91);
  });
});

describe("runs as a history", () => {
  test("a commit is one point, with the t interval of its runs", () => {
    const [cell] = cellsOf([run("a", 1), run("a", 2), run("a", 3), run("b", 5)]);
    // t(2; .975) = 4.30265 times 1 / √3.
    expect(cell!.points).toMatchObject([
      { label: "a", n: 3, mean: 2, interval: { low: expect.closeTo(2 - 2.48414, 4), isWithin: false } },
      { label: "b", n: 1, mean: 5, interval: null },
    ]);
    expect(cell!.steps).toMatchObject({ known: false });
  });

  test("one run has the interval of its iterations, which is told", () => {
    const [cell] = cellsOf([run("a", 10, { metrics: { cost: 10, cost_sd: 2 }, iterations: 4 })]);
    // t(3; .975) = 3.18245 times 2 / √4.
    expect(cell!.points[0]!.interval).toEqual({
      low: expect.closeTo(10 - 3.18245, 4),
      high: expect.closeTo(10 + 3.18245, 4),
      isWithin: true,
    });
  });

  test("points are in the order of the commits, though an older one was measured later", () => {
    const runs = [
      run("c", 3, { startedAtMs: 1 }),
      run("a", 1, { startedAtMs: 2 }),
      run("b", 2, { startedAtMs: 3 }),
    ];
    const labels = (list: PastRun[]) => cellsOf(list)[0]!.points.map(({ label }) => label);
    expect(labels(runs)).toEqual(["a", "b", "c"]);
    // With one that is in no repository, only the clock tells.
    const undated = { ...runs[0]!.state, committedAtMs: null };
    expect(labels([{ ...runs[0]!, state: undated }, ...runs.slice(1)])).toEqual(["c", "a", "b"]);
  });

  test("cells are apart by target, parameters and variant, and named by what differs", () => {
    const cells = cellsOf([
      run("a", 1, { params: { size: 1, mode: "x" } }),
      run("a", 2, { params: { mode: "x", size: 2 } }),
      run("b", 2, { params: { size: 2, mode: "x" } }),
    ]);
    expect(cells.map(({ points }) => points.length)).toEqual([1, 2]);
    expect(cells.map(({ name }) => name)).toEqual(["t: size=1", "t: size=2"]);
    expect(cellsOf([run("a", 1, { params: { size: 1 } })])[0]!.name).toBe("t");
  });

  test("a step is told in a sentence, with its commit and its direction", () => {
    const commits = [..."abcdefghijkl"];
    const noise = [0, 1, -1, 0, 1, -1];
    const [cell] = cellsOf(commits.map((c, i) => run(c, (i < 6 ? 100 : 112) + noise[i % 6]!)));
    const { points, steps } = cell!;
    if (!steps.known) throw new Error(steps.why);
    const options = { dateOf: () => "2026-01-07" };
    expect(stepSentence(steps.steps[0]!, points, { ...options, goal: "minimize" })).toMatch(
      /^step of \+12\.0 % \[\+10\.8, \+13\.2\] at g \(2026-01-07\), for the worse$/,
    );
    expect(stepSentence(steps.steps[0]!, points, { ...options, goal: "maximize" })).toContain(
      "for the better",
    );
    expect(stepSentence(steps.steps[0]!, points, { ...options, goal: null })).toMatch(/\(2026-01-07\)$/);
  });

  test("a step between two machines names what changed", () => {
    const on = (node: string, one: PastRun) => ({
      ...one,
      state: { ...one.state, machine: { host: "a", node } },
    });
    const runs = [..."abcdefghijkl"].map((c, i) =>
      on(i < 6 ? "v20.1.0" : "v22.2.0", run(c, (i < 6 ? 100 : 112) + (i % 3))),
    );
    const [{ points, steps }] = cellsOf(runs) as [CellHistory];
    if (!steps.known) throw new Error(steps.why);
    expect(steps.steps).toMatchObject([{ at: 6, machine: ["node v20.1.0 to v22.2.0"] }]);
    expect(stepSentence(steps.steps[0]!, points, { goal: null, dateOf: () => "" })).toMatch(
      /; the machine changed there, too: node v20\.1\.0 to v22\.2\.0$/,
    );
  });

  test("tasks weigh the same however many tries they had, and what the agent broke has failed where runs pass or fail", () => {
    const runs = [
      run("a", 1, { task: "x", seed: 1 }),
      run("a", 1, { task: "x", seed: 2 }),
      run("a", 0, { task: "y", seed: 1 }),
      run("a", 0, { task: "z", seed: 1, outcome: failed("agent", "it broke"), metrics: {} }),
      run("a", 0, { task: "z", seed: 2, outcome: failed("infrastructure", "no disk"), metrics: {} }),
    ];
    const { cells, left } = groupPoints(runs, { metric: metricFacts("cost") });
    expect(cells[0]!.points).toMatchObject([{ n: 3, mean: expect.closeTo(1 / 3, 12) }]);
    expect(left).toBe(1);
  });

  test("a run that was done again at a commit is a repeat, which counts where nothing else was drawn", () => {
    const again = (part: Partial<RunRecord>) => [1, 2, 3].map((cost) => run("a", cost, { ...part }));
    expect(cellsOf(again({ seed: 7 }))[0]!.points).toMatchObject([{ n: 3, mean: 2 }]);
    const two = [...again({ seed: 7 }), run("a", 4, { seed: 8 })];
    expect(cellsOf(two)[0]!.points).toMatchObject([{ n: 2, mean: 3 }]);
  });
});
