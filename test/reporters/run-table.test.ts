import { describe, expect, test } from "vitest";
import { failed } from "../../src/core/run.ts";
import { runRowOf, runTableOf } from "../../src/reporters/run-table.ts";
import { aRecord } from "../support/a-study.ts";

const records = [
  aRecord({ id: "a", params: { policy: "fifo", n: 1, net: { depth: 2 } }, metrics: { x: 1.5 } }),
  aRecord({
    ...{ id: "b", params: { policy: "fifo", n: "many" }, metrics: { x: null, n: 3 } },
    outcome: failed("agent", "exit 1"),
  }),
];

describe("the table of runs", () => {
  const { count, columns } = runTableOf(records, (metric) => (metric === "x" ? "ms" : null));
  const column = (name: string) => columns.find((one) => one.name === name)!;

  test("has a column for everything that a run has, all of the same length", () => {
    expect(count).toBe(2);
    expect(columns.map(({ name }) => name)).toEqual(
      "run policy n net variant seed status owner reason x n_metric wall_time started".split(" "),
    );
    for (const one of columns) expect(one.kind === "text" ? one.codes : one.values).toHaveLength(2);
  });

  test("keeps numbers as numbers, and texts once", () => {
    expect(column("x")).toEqual({
      name: "x",
      role: "metric",
      kind: "number",
      unit: "ms",
      values: [1.5, null],
    });
    expect(column("policy")).toMatchObject({ kind: "text", words: ["fifo"], codes: [0, 0] });
    expect(column("n")).toMatchObject({ kind: "text", words: ["1", "many"] });
    expect(column("net")).toMatchObject({ words: ['{"depth":2}', ""] });
  });

  test("gives a single run the same cells under the same names", () => {
    expect(runRowOf(records[0]!)).toMatchObject({
      run: "a",
      policy: "fifo",
      n: 1,
      x: 1.5,
      status: "ok",
      wall_time: 1.5,
    });
  });

  test("takes names of the language for names", () => {
    const evil = aRecord({
      params: JSON.parse('{"__proto__": 1, "constructor": "c"}'),
      metrics: { toString: 2 },
    });
    const table = runTableOf([evil, aRecord()]);
    const cells = Object.fromEntries(
      table.columns.map((one) => [
        one.name,
        one.kind === "number" ? one.values : one.codes.map((c) => one.words[c]),
      ]),
    );
    expect(Object.getOwnPropertyDescriptor(cells, "__proto__")?.value).toEqual([1, null]);
    expect(cells.constructor).toEqual(["c", ""]);
    expect(cells.toString).toEqual([2, null]);
  });
});
