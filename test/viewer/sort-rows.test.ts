import { describe, expect, test } from "vitest";
import { RunStore } from "../../viewer/table/run-store.ts";
import { clickSort, parseSort, sortNames, sortRows } from "../../viewer/table/sort-rows.ts";
import { runs } from "./runs-fixture.ts";

const store = new RunStore(runs);
const all = Uint32Array.from([0, 1, 2, 3, 4, 5]);
const sorted = (...names: string[]) => [...sortRows(store, all, parseSort(names))];

describe("sorting", () => {
  test("numbers by size, the unknown last both ways", () => {
    expect(sorted("score")).toEqual([2, 0, 1, 5, 4, 3]);
    expect(sorted("-score")).toEqual([4, 5, 1, 0, 2, 3]);
  });

  test("words as people do: r2 before r10", () => {
    expect(sorted("run").map((row) => store.idOf(row))).toEqual(["r1", "r2", "r3", "r5", "r6", "r10"]);
  });

  test("ties by the next column, then as they came", () => {
    expect(sorted("policy")).toEqual([0, 2, 4, 1, 3, 5]);
    expect(sorted("policy", "-score")).toEqual([4, 0, 2, 5, 1, 3]);
  });

  test("by a column that is gone changes nothing", () => {
    expect(sorted("gone")).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test("keeps to the rows it was given", () => {
    expect([...sortRows(store, Uint32Array.from([4, 2]), parseSort(["score"]))]).toEqual([2, 4]);
  });
});

describe("a click on a header", () => {
  const click = (names: string[], column: string, adds = false) =>
    sortNames(clickSort(parseSort(names), column, adds));

  test("goes up, down, and back to the order of the runs", () => {
    expect(click([], "a")).toEqual(["a"]);
    expect(click(["a"], "a")).toEqual(["-a"]);
    expect(click(["-a"], "a")).toEqual([]);
  });

  test("replaces the order, or joins it with Shift", () => {
    expect(click(["a"], "b")).toEqual(["b"]);
    expect(click(["a"], "b", true)).toEqual(["a", "b"]);
    expect(click(["a", "-b"], "b", true)).toEqual(["a"]);
  });
});
