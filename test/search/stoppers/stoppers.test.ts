import { describe, expect, test } from "vitest";
import { RandomStream } from "../../../src/core/random.ts";
import { bandsOf } from "../../../src/search/stoppers/hyperband.ts";
import { makeJudge, stoppers } from "../../../src/search/stoppers/index.ts";
import type { Race, RunSeries } from "../../../src/search/stoppers/stopper.ts";

const run = (values: number[], state: RunSeries["state"] = "running", id = "r"): RunSeries => ({
  id,
  values,
  state,
});

describe("hyperband", () => {
  const bands = (options: object) => bandsOf(stoppers.hyperband!.options.parse(options) as never);

  test("has its bands at max_iter / eta, / eta² ... rounded down, while they are at least 1", () => {
    expect(bands({ max_iter: 27, s: 2 })).toEqual([3, 9]);
    expect(bands({ max_iter: 100, s: 9, eta: 3 })).toEqual([1, 3, 11, 33]);
    expect(bands({ min_iter: 3 }).slice(0, 4)).toEqual([3, 9, 27, 81]);
  });

  test("decides as the tool behind the sweep file does, at the value that completes a band", () => {
    // max_iter 5, eta 2, s 2: bands 1 and 2. The second values are 9, 10, 8, 7 and 6: the threshold is 8, and b ends.
    const [a, b, c, d, e] = [
      run([10, 9], "ok", "a"),
      run([10, 10], "running", "b"),
      run([10, 8, 8], "running", "c"),
      run([10, 7, 7], "running", "d"),
      run([10, 6, 6], "ok", "e"),
    ] as const;
    const all = [a, b, c, d, e];
    for (const strict of [true, false]) {
      const judge = makeJudge({ kind: "hyperband", options: { max_iter: 5, eta: 2, s: 2, strict } });
      const verdict = (one: RunSeries) =>
        judge({ run: one, others: all.filter((other) => other !== one), goal: "minimize" }).stop;
      expect([b, c, d].map(verdict)).toEqual([true, false, false]);
    }
  });

  test("counts the best value so far, unless it is strict", () => {
    // At band 2 the others have 1, 2, 3; of four runs the threshold is the second smallest at eta 3.
    const others = [1, 2, 3].map((value) => run([9, value]));
    const race: Race = { run: run([0.5, 8]), others, goal: "minimize" };
    const judge = (strict: boolean) =>
      makeJudge({ kind: "hyperband", options: { min_iter: 2, strict } })(race);
    expect(judge(false).stop).toBe(false);
    expect(judge(true).stop).toBe(true);
    expect(judge(true).why).toContain("its value at band 2 is 8, the threshold of 4 runs 2");
  });

  test("turns round for a maximum, and waits for the first band", () => {
    const judge = makeJudge({ kind: "hyperband", options: { min_iter: 3, strict: true } });
    const others = [run([0, 0, 5]), run([0, 0, 6]), run([0, 0, 7])];
    expect(judge({ run: run([0, 0, 4]), others, goal: "maximize" }).stop).toBe(true);
    expect(judge({ run: run([0, 0, 8]), others, goal: "maximize" }).stop).toBe(false);
    expect(judge({ run: run([0, 0]), others, goal: "maximize" })).toMatchObject({ stop: false });
  });

  test("needs max_iter with s, or min_iter", () => {
    for (const options of [{}, { max_iter: 9 }, { s: 2 }, { max_iter: 2, s: 1 }]) {
      expect(() => makeJudge({ kind: "hyperband", options })).toThrow(/max_iter/);
    }
  });

  test("takes max_iter and s where a file has min_iter, too", () => {
    expect(bands({ max_iter: 27, s: 2, min_iter: 5 })).toEqual([3, 9]);
    expect(bands({ max_iter: 27, min_iter: 5 }).slice(0, 2)).toEqual([5, 15]);
  });
});

describe("runs that report at other steps", () => {
  const at = (steps: number[], values: number[]): RunSeries => ({ ...run(values), steps });
  const every = (stride: number, values: number[]) =>
    at(
      values.map((_, i) => (i + 1) * stride),
      values,
    );

  test("are compared at the same step, not after as many values", () => {
    const rules = [
      { kind: "hyperband", options: { min_iter: 10, strict: true } },
      { kind: "halving", options: { first: 10, eta: 3 } },
      { kind: "median", options: { warmup: 9, atLeast: 2 } },
    ];
    // At step 10 the others have lost 1; their tenth values, at step 100, are 0.1.
    const others = [1, 2, 3].map(() => every(10, [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]));
    const good = every(1, [3, 3, 2, 2, 1.5, 1, 0.9, 0.8, 0.7, 0.5]);
    const bad = every(1, [3, 3, 3, 3, 3, 3, 3, 3, 3, 3]);
    for (const rule of rules) {
      const judge = makeJudge(rule);
      expect(judge({ run: good, others, goal: "minimize" }).stop, rule.kind).toBe(false);
      expect(judge({ run: bad, others, goal: "minimize" }).stop, rule.kind).toBe(true);
    }
  });

  test("that count from 0 have reached the first rung with their first value", () => {
    const judge = makeJudge({ kind: "hyperband", options: { min_iter: 2, strict: true } });
    const others = [1, 2, 3].map((value) => at([0, 1], [9, value]));
    expect(judge({ run: at([0, 1], [9, 8]), others, goal: "minimize" }).stop).toBe(true);
    expect(judge({ run: at([0], [9]), others, goal: "minimize" }).stop).toBe(false);
  });
});

describe("halving", () => {
  const judge = makeJudge({ kind: "halving", options: { first: 2, eta: 2, atLeast: 4 } });

  test("lets the best share go on at a rung, however early they were good", () => {
    const others = [run([5, 1]), run([5, 2]), run([5, 3])];
    expect(judge({ run: run([0, 4]), others, goal: "minimize" }).stop).toBe(true);
    expect(judge({ run: run([9, 0]), others, goal: "minimize" }).stop).toBe(false);
  });

  test("waits until enough runs are there", () => {
    expect(judge({ run: run([0, 4]), others: [run([5, 1])], goal: "minimize" })).toEqual({
      stop: false,
      why: "only 2 of 4 runs have reached step 2",
    });
  });
});

describe("the median rule", () => {
  const judge = makeJudge({ kind: "median", options: { warmup: 1, atLeast: 3 } });
  // Running means after two values: 1, 2 and 6.
  const others = [run([1, 1]), run([3, 1]), run([6, 6, 0])];

  test("ends a run whose best is worse than the middle of the others' means so far", () => {
    expect(judge({ run: run([5, 2.5]), others, goal: "minimize" }).stop).toBe(true);
    expect(judge({ run: run([5, 1.9]), others, goal: "minimize" }).stop).toBe(false);
    expect(judge({ run: run([9]), others, goal: "minimize" }).stop).toBe(false);
  });

  test("does not count runs that failed", () => {
    const failed = others.map((other) => ({ ...other, state: "failed" as const }));
    expect(judge({ run: run([5, 5]), others: failed, goal: "minimize" }).why).toContain("only 0 of 3");
  });
});

describe("the race", () => {
  const judge = makeJudge({ kind: "race", options: { range: [0, 1] } }, 4);
  const bySign = makeJudge({ kind: "race", options: {} }, 4);

  /** Points take turns on tasks, and each is judged after every task of its own; how many were ended, and after how many. */
  function search(rates: readonly number[], seed: number, by = judge) {
    const next = new RandomStream(seed, "race of points").sequence();
    const points = rates.map((_, i): RunSeries & { values: number[] } => ({
      ...{ id: `point ${i}`, values: [], state: "running" },
    }));
    const ended = new Map<number, number>();
    for (let task = 0; task < 80; task++)
      for (const [i, point] of points.entries()) {
        if (ended.has(i)) continue;
        point.values.push(next() < rates[i]! ? 1 : 0);
        const others = points.filter((other) => other !== point);
        if (task % 4 === 3 && by({ run: point, others, goal: "maximize" }).stop) ended.set(i, task + 1);
      }
    return ended;
  }

  test("ends any of like points in at most alpha of all searches", () => {
    const searches = 60;
    for (const by of [judge, bySign]) {
      let wrong = 0;
      for (let seed = 0; seed < searches; seed++)
        if (search([0.4, 0.4, 0.4, 0.4], seed, by).size > 0) wrong++;
      expect(wrong / searches).toBeLessThanOrEqual(0.05 + 3 * Math.sqrt((0.05 * 0.95) / searches));
    }
  });

  test("ends those that another surely beats, and never the best one here", () => {
    for (const by of [judge, bySign]) {
      const ended = search([0.9, 0.1, 0.1, 0.1], 1, by);
      expect([...ended.keys()].sort()).toEqual([1, 2, 3]);
      expect(Math.max(...ended.values())).toBeLessThan(80);
    }
  });

  test("takes what is no number for the worst, and wants to know how many points there will be", () => {
    const good = run([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], "ok", "good");
    const diverged = run(good.values.map(() => Number.NaN));
    expect(bySign({ run: diverged, others: [good], goal: "minimize" }).stop).toBe(true);
    expect(bySign({ run: good, others: [diverged], goal: "maximize" }).stop).toBe(false);
    expect(() => makeJudge({ kind: "race", options: {} })).toThrow("a search with a number of points");
  });
});

describe("the Wilcoxon rule", () => {
  const tasks = ["a", "b", "c", "d", "e", "f"];
  const best: RunSeries = { id: "best", values: [1, 2, 3, 4, 5, 6], labels: tasks, state: "ok" };
  const weak: RunSeries = { id: "weak", values: [9, 9, 9, 9, 9, 9], labels: tasks, state: "ok" };
  const judge = makeJudge({ kind: "wilcoxon", options: {} });

  test("pairs by task with the best finished run, whatever the order", () => {
    const worse: RunSeries = {
      id: "r",
      values: [6.5, 5.4, 4.3, 3.2, 2.1],
      labels: tasks.toReversed().slice(0, 5),
      state: "running",
    };
    const verdict = judge({ run: worse, others: [weak, best], goal: "minimize" });
    // Five pairs, all worse: one-sided p = 1/2⁵.
    expect(verdict).toEqual({ stop: true, why: "5 pairs with best: one-sided p = 0.0313" });
    expect(judge({ run: worse, others: [weak, best], goal: "maximize" }).stop).toBe(true);
    expect(
      judge({ run: { ...best, id: "same", state: "running" }, others: [best], goal: "minimize" }).stop,
    ).toBe(false);
  });

  test("waits for pairs and for a run that has finished", () => {
    const short: RunSeries = { id: "r", values: [9, 9], labels: ["a", "b"], state: "running" };
    expect(judge({ run: short, others: [best], goal: "minimize" }).why).toBe("only 2 of 5 pairs with best");
    const running = { ...best, state: "running" as const };
    expect(judge({ run: short, others: [running], goal: "minimize" }).why).toBe("no other run has finished");
  });
});

describe("early stopping by name", () => {
  test("names what is there, and an option that is not", () => {
    expect(() => makeJudge({ kind: "hyperbnad", options: {} })).toThrow(/Did you mean "hyperband"/);
    expect(() => makeJudge({ kind: "median", options: { warmpu: 3 } })).toThrow(
      /median has no option "warmpu"/,
    );
  });

  test.each(Object.values(stoppers))(
    "$name goes on without others, without values and with gaps",
    (stopper) => {
      const options = stopper.name === "hyperband" ? { min_iter: 2 } : {};
      const judge = makeJudge({ kind: stopper.name, options }, 10);
      for (const values of [[], [Number.NaN], [1, Number.NaN, 2]]) {
        expect(judge({ run: run(values), others: [], goal: "minimize" }).stop).toBe(false);
      }
    },
  );
});

describe("a value that is not a number", () => {
  const nan = Number.NaN;
  const kinds: [string, object][] = [
    ["hyperband", { min_iter: 2 }],
    ["hyperband", { min_iter: 2, strict: true }],
    ["halving", { first: 2, eta: 2 }],
    ["median", { warmup: 1, atLeast: 3 }],
  ];

  test.each(kinds)("is the worst there is for %s %o, whichever way is better", (kind, options) => {
    const judge = makeJudge({ kind, options: options as never });
    const others = [run([3, 1]), run([3, 2]), run([3, 3])];
    for (const goal of ["minimize", "maximize"] as const) {
      for (const last of [nan, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        const verdict = judge({ run: run([2, last]), others, goal });
        expect(verdict).toMatchObject({ stop: true, why: expect.stringContaining("not a number") });
      }
    }
  });

  test.each(kinds)("of others does not make a good run worse for %s %o", (kind, options) => {
    const judge = makeJudge({ kind, options: options as never });
    const others = [run([nan, nan]), run([3, nan]), run([nan, nan])];
    expect(judge({ run: run([2, 2]), others, goal: "minimize" }).stop).toBe(false);
    // A run that diverged ends, though most others have diverged, too.
    expect(judge({ run: run([2, nan]), others, goal: "minimize" }).stop).toBe(true);
  });

  test("counts as worse on its task for the Wilcoxon rule", () => {
    const judge = makeJudge({ kind: "wilcoxon", options: {} });
    const best = run([1, 1, 1, 1, 1], "ok", "best");
    const diverged = run([nan, nan, nan, nan, nan], "ok", "diverged");
    const verdict = (values: number[]) =>
      judge({ run: run(values), others: [diverged, best], goal: "minimize" });
    expect(verdict([2, nan, 2, nan, nan])).toEqual({
      stop: true,
      why: "5 pairs with best: one-sided p = 0.0313",
    });
    expect(verdict([0, nan, 0, 0, 0]).stop).toBe(false);
  });
});
