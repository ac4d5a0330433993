import { describe, expect, test } from "vitest";
import { chosenColumns, firstColumns } from "../../viewer/table/choose-columns.ts";
import { filterRows } from "../../viewer/table/filter-rows.ts";
import { RunStore } from "../../viewer/table/run-store.ts";
import { parseSort, sortRows } from "../../viewer/table/sort-rows.ts";
import { tableCsv } from "../../viewer/table/table-csv.ts";
import { runs } from "./runs-fixture.ts";

describe("the table of runs", () => {
  test("takes rows in while a study runs", () => {
    const store = new RunStore(runs);
    store.put([{ run: "r7", policy: "new", score: 1, status: "ok" }]);
    expect(store.count).toBe(7);
    expect([...filterRows(store, "policy=new").rows]).toEqual([6]);
    expect(store.column("max depth")!.value(6)).toBeNull();
    expect([...sortRows(store, filterRows(store, "").rows, parseSort(["score"]))]).toEqual([
      2, 0, 6, 1, 5, 4, 3,
    ]);
  });

  test("puts a run that ended anew in its old place", () => {
    const store = new RunStore(runs);
    store.put([{ run: "r10", policy: "full", score: 3, status: "ok" }]);
    expect(store.count).toBe(6);
    expect(store.column("score")!.value(3)).toBe(3);
    expect([...filterRows(store, "status!=ok").rows]).toEqual([]);
  });

  test("grows by many rows and keeps them apart", () => {
    const store = new RunStore({ count: 0, columns: runs.columns.map((column) => emptied(column)) });
    store.put(Array.from({ length: 1000 }, (_, i) => ({ run: `n${i}`, score: i })));
    expect(store.rowOf("n999")).toBe(999);
    expect(store.column("score")!.value(500)).toBe(500);
  });

  test("gets a column for a metric that appears late", () => {
    const store = new RunStore(runs);
    store.put([{ run: "r8", late: 5 }]);
    expect([...filterRows(store, "late=5").rows]).toEqual([6]);
    expect(store.column("late")!.value(0)).toBeNull();
  });

  test("first shows what varies, how it ended and what was measured", () => {
    expect(firstColumns(new RunStore(runs), "score")).toEqual([
      ...["run", "policy", "max depth", "status", "reason", "score"],
    ]);
  });

  test("shows the run's name first and the study's metric first of the metrics", () => {
    const other = {
      name: "tokens",
      role: "metric",
      kind: "number",
      unit: null,
      values: [1, 2, 3, 4, 5, 6],
    } as const;
    const columns = [{ ...other, values: [...other.values] }, ...runs.columns];
    const names = chosenColumns(new RunStore({ ...runs, columns }), ["score", "status", "tokens"], {
      metric: "score",
    });
    expect(names.map(({ name }) => name)).toEqual(["run", "score", "tokens", "status"]);
  });

  test("leaves out at first what is the same everywhere", () => {
    const same = {
      name: "pdfs",
      role: "param",
      kind: "number",
      unit: null,
      values: [1, 1, 1, 1, 1, 1],
    } as const;
    const store = new RunStore({
      ...runs,
      columns: [...runs.columns, { ...same, values: [...same.values] }],
    });
    expect(firstColumns(store, null)).not.toContain("pdfs");
  });
});

describe("the table as CSV", () => {
  test("has all digits, and empty cells for the unknown", () => {
    const store = new RunStore(runs);
    const columns = ["run", "score"].map((name) => store.column(name)!);
    expect(tableCsv(columns, Uint32Array.from([2, 3]))).toBe("run,score\nr3,0.25\nr10,\n");
  });

  test("neutralises what a spreadsheet would run", () => {
    const words = ["=1+1", "+cmd", "-x", "@sum", 'a "b", c'];
    const store = new RunStore({
      count: 5,
      columns: [{ name: "=name", role: "param", kind: "text", words, codes: [0, 1, 2, 3, 4] }],
    });
    expect(tableCsv(store.columns, Uint32Array.from([0, 1, 2, 3, 4])).split("\n")).toEqual([
      ...["'=name", "'=1+1", "'+cmd", "'-x", "'@sum", '"a ""b"", c"', ""],
    ]);
  });
});

function emptied(column: (typeof runs.columns)[number]): (typeof runs.columns)[number] {
  return column.kind === "number" ? { ...column, values: [] } : { ...column, words: [], codes: [] };
}
