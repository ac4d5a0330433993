import { describe, expect, test } from "vitest";
import { answer } from "../../stats/answer.ts";
import { aRollout, summaryOf } from "../../support/a-coding-run.ts";

/** Rollouts of one task, by their scores. */
const rollouts = (task: string, scores: number[], model = "m") =>
  scores.map((score, i) => aRollout({ task, model, seed: i + 1, score }));

describe("the rollouts of two models on one task", () => {
  const { arms, cells } = summaryOf([
    ...rollouts("sort", [1, 1, 0.5, 1], "a"),
    ...rollouts("sort", [0, 0, 0, 0], "b"),
  ]);

  test("are never averaged into one row", () => {
    expect(arms.map(({ arm, solved, judged }) => [arm, solved, judged])).toEqual([
      ["a", 3, 4],
      ["b", 0, 4],
    ]);
    expect(cells.map(({ arm, score }) => [arm, answer(score).value])).toEqual([
      ["a", 0.875],
      ["b", 0],
    ]);
  });

  test("have Wilson's interval of the rollouts, since one task is all there is", () => {
    expect(answer(arms[0]!.solveRate)).toMatchObject({ estimate: 0.75, method: "Wilson" });
    expect(answer(arms[0]!.solveRate).low).toBeCloseTo(0.3006, 4);
  });

  test("have pass@k and pass^k by the unbiased estimators", () => {
    const { passes } = arms[0]!;
    expect(passes.map(({ any }) => answer(any).value)).toEqual([0.75, 1, 1, 1]);
    expect(passes.map(({ all }) => answer(all).value)).toEqual([0.75, 0.5, 0.25, 0]);
  });

  test("tell what a solve costs and takes, and why they can't where none was solved", () => {
    expect(answer(arms[0]!.costPerSolve).value).toBeCloseTo(0.4 / 3, 12);
    expect(answer(arms[0]!.secondsPerSolve).value).toBeCloseTo(8 / 3, 12);
    expect(arms[1]!.costPerSolve).toEqual({ known: false, why: "none was solved" });
  });

  test("flip where some are solved and some not", () => {
    expect(arms.map(({ flips }) => flips)).toEqual([["sort"], []]);
    expect(arms[0]!.split).toEqual({ never: 0, sometimes: 1, always: 0 });
  });
});

describe("an arm", () => {
  test("counts tasks, not rollouts, where there are at least as many: more rollouts make no narrower interval where tasks agree with themselves", () => {
    const tasks = [1, 1, 0, 1, 0, 1];
    const width = (times: number) => {
      const records = tasks.flatMap((score, i) => rollouts(`t${i}`, Array(times).fill(score)));
      const { low, high } = answer(summaryOf(records).arms[0]!.solveRate);
      return high - low;
    };
    expect(width(6)).toBeCloseTo(width(2), 10);
  });

  /** Ten tasks by how many of three rollouts solve them. */
  const tenTasks = (solved: number[]) =>
    solved.flatMap((count, i) =>
      rollouts(
        `t${i}`,
        [0, 1, 2].map((rollout) => (rollout < count ? 1 : 0)),
      ),
    );

  test.each([
    ["tasks that differ", tenTasks([3, 3, 3, 2, 3, 3, 1, 3, 0, 3])],
    ["one task that is never solved", tenTasks([3, 3, 3, 3, 3, 3, 3, 3, 3, 0])],
    ["tasks that are all alike", tenTasks(Array(10).fill(1))],
    ["every rollout solved", tenTasks(Array(10).fill(3))],
    ["two tasks", tenTasks([1, 3])],
    ["one task", tenTasks([2])],
    ["one task, always solved", tenTasks([3])],
  ])("has one interval for its solve rate and for one try that passes: %s", (_, records) => {
    const { solveRate, passes } = summaryOf(records).arms[0]!;
    const { estimate, low, high } = answer(solveRate);
    for (const rate of [passes[0]!.any, passes[0]!.all]) {
      const { value, interval } = answer(rate);
      expect(value).toBeCloseTo(estimate, 12);
      expect(answer(interval).low).toBeCloseTo(low, 12);
      expect(answer(interval).high).toBeCloseTo(high, 12);
    }
  });

  test("whose tasks are solved always or never is as sure of all tries as of one", () => {
    const { passes } = summaryOf(tenTasks([3, 3, 3, 3, 3, 3, 3, 3, 3, 0])).arms[0]!;
    const ends = passes.flatMap(({ any, all }) => [any, all]).map((rate) => answer(answer(rate).interval));
    // Wilson's of 9 in 10.
    for (const { low, high } of ends) {
      expect(low).toBeCloseTo(0.5958, 4);
      expect(high).toBeCloseTo(0.9821, 4);
    }
  });

  test("that solves everything, or nothing, has an interval all the same", () => {
    const records = ["a", "b", "c", "d"].flatMap((task) => rollouts(task, [1, 1]));
    const { solveRate, passes } = summaryOf(records).arms[0]!;
    expect(answer(solveRate)).toMatchObject({ estimate: 1, high: 1 });
    expect(answer(solveRate).low).toBeCloseTo(0.5101, 4);
    expect(answer(answer(passes[1]!.all).interval).low).toBeCloseTo(0.5101, 4);
  });

  test("has the mean over tasks of their means as its score, each task the same weight", () => {
    const { score } = summaryOf([...rollouts("a", [0, 0, 0, 0]), ...rollouts("b", [1])]).arms[0]!;
    expect(answer(score).value).toBe(0.5);
  });
});

describe("rollouts without a score", () => {
  const records = [
    ...rollouts("a", [1, 1]),
    aRollout({ task: "a", seed: 3, owner: "agent" }),
    aRollout({ task: "a", seed: 4, owner: "infrastructure" }),
    aRollout({ task: "b", seed: 1, owner: "grader" }),
    aRollout({ task: "b", seed: 2, owner: "budget" }),
  ];
  const summary = summaryOf(records);
  const [arm] = summary.arms;

  test("are failures where the agent is at fault, and missing otherwise", () => {
    expect(arm).toMatchObject({ judged: 3, solved: 2, missing: { infrastructure: 1, grader: 1, budget: 1 } });
    expect(answer(arm!.solveRate).estimate).toBeCloseTo(2 / 3, 12);
  });

  test("leave bounds: as if all had failed, as if all had passed", () => {
    expect(arm!.solveLimits).toEqual({ low: 2 / 6, high: 5 / 6 });
    expect(arm!.scoreLimits).toEqual({ low: 0.25, high: (0.75 + 1) / 2 });
  });

  test("leave a task unknown that has no other", () => {
    expect(summary.cells[1]!.score).toEqual({ known: false, why: "none of 2 rollouts was judged" });
    expect(summary.cells[1]!.best).toBeNull();
  });

  test("that don't tell their cost make it unknown, not free", () => {
    const silent = [...rollouts("a", [1]), aRollout({ task: "a", seed: 2, costUsd: null })];
    expect(summaryOf(silent).arms[0]!.costPerSolve).toEqual({
      known: false,
      why: "1 of 2 rollouts did not report their cost",
    });
  });
});

test("the best rollout of equal ones is the cheaper, then the quicker", () => {
  const { cells } = summaryOf([
    aRollout({ task: "a", seed: 1, costUsd: 0.2 }),
    aRollout({ task: "a", seed: 2, costUsd: 0.1, seconds: 9 }),
    aRollout({ task: "a", seed: 3, costUsd: 0.1, seconds: 3 }),
    aRollout({ task: "a", seed: 4, score: 0.5, costUsd: 0 }),
  ]);
  expect(cells[0]!.best!.rollout).toBe(3);
  expect(cells[0]!.worst!.rollout).toBe(4);
});
