import { describe, expect, test } from "vitest";
import { filterRows } from "../../viewer/table/filter-rows.ts";
import { groupRows, sortGroups } from "../../viewer/table/group-rows.ts";
import { RunStore } from "../../viewer/table/run-store.ts";
import { parseSort } from "../../viewer/table/sort-rows.ts";
import { runs } from "./runs-fixture.ts";

const store = new RunStore(runs);
const all = filterRows(store, "").rows;
const score = store.column("score")!;

describe("groups", () => {
  test("count their runs, the good ones, and average what is known", () => {
    expect(groupRows(store, all, { by: store.column("policy")!, means: [score] })).toMatchObject([
      { label: "fifo", count: 3, ok: 3, means: [(0.5 + 0.25 + 8) / 3] },
      { label: "full", count: 3, ok: 2, means: [(2 + 4) / 2] },
    ]);
  });

  test("have no mean where nothing is known", () => {
    const failed = filterRows(store, "status=failed").rows;
    expect(groupRows(store, failed, { by: store.column("policy")!, means: [score] })[0]!.means).toEqual([
      null,
    ]);
  });

  test("of numbers are told apart by all digits, not by those shown", () => {
    const close = new RunStore({
      count: 2,
      columns: [{ name: "x", role: "metric", kind: "number", unit: null, values: [1.00000001, 1.00000002] }],
    });
    const groups = groupRows(close, Uint32Array.from([0, 1]), { by: close.column("x")!, means: [] });
    expect(groups.map(({ value }) => value)).toEqual(["1.00000001", "1.00000002"]);
  });

  test("sort by label, by size or by a mean", () => {
    const groups = groupRows(store, all, { by: store.column("max depth")!, means: [score] });
    const order = (...names: string[]) =>
      sortGroups(groups, parseSort(names), [score]).map(({ label }) => label);
    expect(order()).toEqual(["1", "2", "3"]);
    expect(order("-max depth")).toEqual(["3", "2", "1"]);
    expect(order("score")).toEqual(["2", "1", "3"]);
    expect(order("ok")).toEqual(["2", "1", "3"]);
  });
});
