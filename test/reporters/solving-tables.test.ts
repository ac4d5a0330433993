import { describe, expect, test } from "vitest";
import { rolloutTables } from "../../src/reporters/solving-tables.ts";
import { aRollout, summaryOf } from "../support/a-coding-run.ts";

const records = [
  aRollout({ task: "a", seed: 1, model: "x", score: 1 }),
  aRollout({ task: "a", seed: 2, model: "x", score: 0.5 }),
  aRollout({ task: "a", seed: 1, model: "y", score: 0, costUsd: null }),
  aRollout({ task: "a", seed: 2, model: "y", owner: "grader" }),
];
const summary = summaryOf(records);
const { cells, tables } = rolloutTables(summary);
const cellOf = (row: string[], header: string[], name: string) => row[header.indexOf(name)];

describe("the tables of a page about rollouts", () => {
  test("have a row an arm, with what is unknown said and what is missing bounded", () => {
    const [x, y] = cells.rows as [string[], string[]];
    expect(cellOf(x, cells.header, "pass@2")).toBe("1.00");
    expect(cellOf(x, cells.header, "pass^2")).toBe("0.00");
    expect(cellOf(x, cells.header, "$ per solve")).toBe("$0.20");
    expect(cellOf(x, cells.header, "tasks that flip")).toBe("1");
    expect(cellOf(y, cells.header, "missing")).toBe("1 grader");
    expect(cellOf(y, cells.header, "solved")).toContain("missing ones: 0.00 to 0.50");
    expect(cellOf(y, cells.header, "$ per solve")).toBe("unknown");
  });

  test("lead from each task and arm to its best and its worst rollout", () => {
    const [byTask] = tables!;
    const { header, links, rows } = byTask!;
    expect(rows.map((row) => row.slice(0, 2))).toEqual([
      ["a", "x"],
      ["a", "y"],
    ]);
    expect(links![header.indexOf("best")]).toEqual([records[0]!.id, records[2]!.id]);
    expect(links![header.indexOf("worst")]).toEqual([records[1]!.id, records[2]!.id]);
  });
});
