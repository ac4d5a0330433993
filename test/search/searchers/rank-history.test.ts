import { expect, test } from "vitest";
import { rankHistory } from "../../../src/search/searchers/rank-history.ts";
import { done, parameter, problem, uniform } from "./problem.ts";

const space = [parameter("x", uniform(0, 1))];
const names = (...args: Parameters<typeof rankHistory>) =>
  rankHistory(...args).map(({ evaluation }) => evaluation.params.x);

test("Points that keep the constraints come first by value, then the nearest misses, then failures", () => {
  const history = [
    { ...done({ x: "miss" }, -9), violation: 2 },
    done({ x: "second" }, 2),
    { params: { x: "failed" }, state: "failed" as const, values: [] },
    { ...done({ x: "near" }, 5), violation: 0.1 },
    { params: { x: "flying" }, state: "pending" as const, values: [] },
    done({ x: "first" }, 1),
    done({ x: "nan" }, Number.NaN),
  ];
  expect(names(history, problem(space))).toEqual(["first", "second", "near", "miss", "failed", "nan"]);
});

test("With several objectives whole fronts come one after the other", () => {
  const on = problem(space, {
    objectives: [
      { metric: "cost", goal: "minimize" },
      { metric: "score", goal: "maximize" },
    ],
  });
  const history = [
    done({ x: "beaten twice" }, 4, 1),
    done({ x: "cheap" }, 1, 1),
    done({ x: "beaten" }, 3, 2),
    done({ x: "good" }, 3, 5),
    done({ x: "between" }, 2, 3),
  ];
  const order = names(history, on);
  expect(order.slice(0, 3).toSorted()).toEqual(["between", "cheap", "good"]);
  expect(order[2]).toBe("between");
  expect(order.slice(3)).toEqual(["beaten", "beaten twice"]);
});
