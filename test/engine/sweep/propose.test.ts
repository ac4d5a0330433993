import { expect, test } from "vitest";
import { failed, OK } from "../../../src/core/run.ts";
import type { Search } from "../../../src/core/space.ts";
import type { PointBook, RunResult } from "../../../src/engine/sweep/point-book.ts";
import { proposeWith } from "../../../src/engine/sweep/propose.ts";
import { searchers } from "../../../src/searchers/index.ts";
import type { Evaluation } from "../../../src/searchers/searcher.ts";
import { parameter, problem, uniform } from "../../searchers/problem.ts";

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
