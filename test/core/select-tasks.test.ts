import { describe, expect, test } from "vitest";
import { selectTasks } from "../../src/core/select-tasks.ts";

const all = ["d", "b", "a", "c", "e"].map((name) => ({ name, subsets: [name < "c" ? "first" : "last"] }));

describe("choosing tasks", () => {
  test("sorts them, and slices as Python does", () => {
    expect(selectTasks(all, {})).toEqual(["a", "b", "c", "d", "e"]);
    expect(selectTasks(all, { slice: ":3" })).toEqual(["a", "b", "c"]);
    expect(selectTasks(all, { slice: "1:3" })).toEqual(["b", "c"]);
    expect(selectTasks(all, { slice: "-2:" })).toEqual(["d", "e"]);
    expect(selectTasks(all, { subset: "last", slice: ":2" })).toEqual(["c", "d"]);
  });

  test("shuffles before it slices, the same way for the same seed", () => {
    const shuffled = selectTasks(all, { shuffle: true, shuffleSeed: 7 });
    expect([...shuffled].sort()).toEqual(["a", "b", "c", "d", "e"]);
    expect(selectTasks([...all].reverse(), { shuffle: true, shuffleSeed: 7, slice: ":2" })).toEqual(
      shuffled.slice(0, 2),
    );
    const orders = Array.from({ length: 20 }, (_, shuffleSeed) =>
      selectTasks(all, { shuffle: true, shuffleSeed }).join(""),
    );
    expect(new Set(orders).size).toBeGreaterThan(10);
  });

  test("says what there is instead of what is not", () => {
    expect(() => selectTasks(all, { subset: "verified" })).toThrow("expected all, first, last");
    expect(() => selectTasks(all, { slice: "ten" })).toThrow("such as :10");
    expect(() => selectTasks(all, { slice: "9:" })).toThrow("no task is chosen");
  });
});
