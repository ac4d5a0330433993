import { describe, expect, test } from "vitest";
import { failed, OK, type Outcome } from "../../../src/core/run.ts";
import type { Search } from "../../../src/core/space.ts";
import { isEnough, proposeWith } from "../../../src/launch/search/search-rules.ts";
import { searchers } from "../../../src/search/searchers/index.ts";
import type { Evaluation } from "../../../src/search/searchers/searcher.ts";
import { PointBook, type RunResult } from "../../../src/search/shared/point-book.ts";
import { parameter, problem, uniform } from "../../search/searchers/problem.ts";
import { aRun } from "../../support/a-study.ts";
import { TempFolder } from "../../support/temp-folder.ts";

const STOPPED: Outcome = { status: "stopped" };

function search(part: Partial<Search> = {}): Search {
  const objectives = [{ metric: "v", goal: "minimize" as const, target: 1 }];
  return { method: "random", options: {}, space: [], objectives, constraints: [], seed: 1, ...part };
}

/** A book of points with one run each, which are told what they came to. */
function bookIn(dir: string) {
  const path = `${dir}/journal.jsonl`;
  const idOf = (x: unknown) => `x__${String(x).padStart(12, "0")}`;
  const book = new PointBook(path, { runsOf: ({ x }) => [aRun({ id: idOf(x), params: { x: x! } })] });
  const tell = (x: number, outcome: Outcome, metrics: Record<string, number | null>, attempt = 1) => {
    if (x >= book.known)
      book.addPoints([{ number: x, params: { x }, journalBytes: 0, isAsked: true, handed: 1 }]);
    book.place({
      ...aRun({ id: idOf(x), params: { x } }),
      ...{ program: "p", attempt, outcome, metrics, startedAtMs: 0, wallMs: 1 },
    });
  };
  return { book, tell };
}

describe("a target", () => {
  const reached = (outcome: Outcome, metrics: Record<string, number>, part: Partial<Search> = {}) => {
    using folder = new TempFolder();
    const { book, tell } = bookIn(folder.path);
    tell(0, outcome, metrics);
    return isEnough(search(part))(book)?.why;
  };

  test("is reached by a point that is good", () => {
    expect(reached(OK, { v: 0.5 })).toBe("v has reached 0.5 (target 1)");
    expect(reached(OK, { v: 1.5 })).toBeUndefined();
  });

  test("is not reached by a run that failed or was stopped, nor where a constraint is missed", () => {
    expect(reached(failed("agent", "it broke"), { v: 0.5 })).toBeUndefined();
    expect(reached(STOPPED, { v: 0.5 })).toBeUndefined();
    expect(reached(OK, { v: 0.5, cost: 3 }, { constraints: ["cost < 2"] })).toBeUndefined();
    expect(reached(OK, { v: 0.5, cost: 1 }, { constraints: ["cost < 2"] })).toBeDefined();
  });

  test("is reached by a run that failed first and was done again", () => {
    using folder = new TempFolder();
    const { book, tell } = bookIn(folder.path);
    const judge = isEnough(search());
    tell(0, failed("agent", "it broke"), {});
    expect(judge(book)).toBeUndefined();
    tell(0, OK, { v: 0.5 }, 2);
    expect(judge(book)?.why).toContain("v has reached 0.5");
  });
});

describe("a defeat", () => {
  const wanting = search({ objectives: [{ metric: "v", goal: "minimize" }] });

  test("is declared when five runs fail, or five points lack the metric, and none is better", () => {
    using folder = new TempFolder();
    const { book, tell } = bookIn(folder.path);
    for (let x = 0; x < 5; x++) tell(x, failed("agent", "it broke"), {});
    expect(isEnough(wanting)(book)).toEqual({ why: "all 5 runs so far have failed", isDefeat: true });
    for (let x = 0; x < 5; x++) tell(x, OK, { w: 1 }, 2);
    const why = "none of 5 finished points has v; the runs report w";
    expect(isEnough(wanting)(book)).toEqual({ why, isDefeat: true });
  });

  test("is none once the runs that failed have been done again and have the metric", () => {
    using folder = new TempFolder();
    const { book, tell } = bookIn(folder.path);
    const judge = isEnough(wanting);
    for (let x = 0; x < 5; x++) tell(x, failed("agent", "it broke"), {});
    judge(book);
    for (let x = 0; x < 5; x++) tell(x, OK, { v: 1 }, 2);
    expect(judge(book)).toBeUndefined();
  });

  test("of an earlier launch gives a new one as many tries as the first had", () => {
    using folder = new TempFolder();
    const { book, tell } = bookIn(folder.path);
    const judge = isEnough(wanting);
    for (let x = 0; x < 5; x++) tell(x, OK, { w: 1 });
    book.startLaunch();
    expect(judge(book)).toBeUndefined();
    for (let x = 5; x < 9; x++) tell(x, OK, { w: 1 });
    expect(judge(book)).toBeUndefined();
    tell(9, OK, { w: 1 });
    expect(judge(book)?.why).toContain("none of 10 finished points has v");
  });

  test("is none where the metric is there and not a number: the run diverged", () => {
    using folder = new TempFolder();
    const { book, tell } = bookIn(folder.path);
    for (let x = 0; x < 5; x++) tell(x, OK, { v: null });
    expect(isEnough(wanting)(book)).toBeUndefined();
  });
});

test("a point whose failed run was done again counts with what it came to", () => {
  const asked: (readonly Evaluation[])[] = [];
  const ask = (history: readonly Evaluation[]) => {
    asked.push(history);
    return [];
  };
  const on = problem([parameter("x", uniform(0, 1))]);
  const search = { method: "tpe", space: on.space, objectives: on.objectives, constraints: [] };
  const result = (part: Partial<RunResult>): RunResult => ({
    id: "x0.5__000000000001",
    params: { x: 0.5 },
    variant: "baseline",
    seed: 1,
    task: null,
    repeat: 0,
    outcome: failed("agent", "it broke"),
    metrics: {},
    attempt: 1,
    ...part,
  });
  const results = new Map([["000000000001", result({})]]);
  const point = { number: 0, params: { x: 0.5 }, expected: 1, results, changes: 1 };
  const propose = proposeWith({ ...searchers.tpe!, ask }, on, search as unknown as Search);
  const book = { points: [point], finished: [point] } as unknown as PointBook;
  propose(book);
  results.set("000000000001", result({ outcome: OK, metrics: { loss: 3 }, attempt: 2 }));
  point.changes++;
  propose(book);
  expect(asked.map(([first]) => [first!.state, first!.values])).toEqual([
    ["failed", []],
    ["ok", [3]],
  ]);
});
