import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readSeries, seriesNames, withoutReplaced } from "../../src/archive/read-series.ts";
import { TempFolder } from "../support/temp-folder.ts";

test("a value that is not a number is no point of a curve, unless it is asked for, and spoils no other on its line", () => {
  using folder = new TempFolder();
  const path = `${folder.path}/series.jsonl`;
  writeFileSync(
    path,
    [
      '{"step": 1, "loss": 0.5, "norm": NaN}',
      '{"step": 2, "loss": NaN}',
      '{"step": 3, "loss": -Infinity, "norm": 2}',
      '{"step":4,"loss":null}',
      '{"step": 5, "lo',
    ].join("\n"),
  );
  expect(readSeries(path, "loss")).toEqual({ steps: [1], values: [0.5] });
  expect(readSeries(path, "norm")).toEqual({ steps: [3], values: [2] });
  expect(readSeries(path, "loss", { isEveryValue: true })).toEqual({
    steps: [1, 2, 3, 4],
    values: [0.5, Number.NaN, Number.NaN, Number.NaN],
  });
});

test("steps are W&B's where it wrote them", () => {
  using folder = new TempFolder({
    "series.jsonl": '{"_step": 10, "_runtime": 3.5, "loss": 2}\n{"_step": 20, "loss": 1}\n',
  });
  expect(readSeries(`${folder.path}/series.jsonl`, "loss")).toEqual({ steps: [10, 20], values: [2, 1] });
  expect(seriesNames(`${folder.path}/series.jsonl`)).toEqual(["_runtime", "loss"]);
});

test("a series lies along the axis that its program defined", () => {
  const rows = [
    {
      _step: 0,
      _axes: { "train/*": "global_step", "val/acc": "n_instances" },
      "train/loss": 3,
      global_step: 0,
    },
    { _step: 1, "train/loss": 2, global_step: 500, step: 7 },
    { _step: 2, "val/acc": 0.5, n_instances: 20 },
    { _step: 3, "train/loss": 1, global_step: 1000, other: 4 },
    { _step: 4, "val/acc": 0.6, n_instances: 40 },
  ];
  using folder = new TempFolder({ "series.jsonl": rows.map((row) => `${JSON.stringify(row)}\n`).join("") });
  const path = `${folder.path}/series.jsonl`;
  expect(readSeries(path, "train/loss")).toEqual({
    axis: "global_step",
    steps: [0, 500, 1000],
    values: [3, 2, 1],
  });
  expect(readSeries(path, "val/acc")).toEqual({ axis: "n_instances", steps: [20, 40], values: [0.5, 0.6] });
  expect(readSeries(path, "other")).toEqual({ steps: [3], values: [4] });
  // W&B counts its own rows, whatever a program calls a step.
  expect(readSeries(path, "step")).toEqual({ steps: [1], values: [7] });
  expect(seriesNames(path)).toContain("step");
});

test("an axis that a program never reports is none", () => {
  using folder = new TempFolder({
    "series.jsonl": '{"_step": 0, "_axes": {"*": "epoch"}, "loss": 2}\n{"_step": 1, "loss": 1}\n',
  });
  expect(readSeries(`${folder.path}/series.jsonl`, "loss")).toEqual({ steps: [0, 1], values: [2, 1] });
});

test("every value counts for a rule that compares runs by their number", () => {
  using folder = new TempFolder({
    "series.jsonl": [0, 1, 2]
      .map((i) => `{"_step": ${i}, "_axes": {"*": "epoch"}, "loss": ${3 - i}, "epoch": 1}\n`)
      .join(""),
  });
  const path = `${folder.path}/series.jsonl`;
  expect(readSeries(path, "loss")?.values).toEqual([1]);
  expect(readSeries(path, "loss", { isEveryValue: true })?.values).toEqual([3, 2, 1]);
});

test("lines that a run left behind when it went back to an earlier step are dropped, those of one step are not", () => {
  const lines = [
    { step: 1, a: 1 },
    { step: 2, a: 2 },
    { step: 3, a: 3 },
    { step: 2, a: 4 },
    { step: 2, b: 5 },
    { c: 6 },
  ];
  expect(withoutReplaced(lines)).toEqual([lines[0], ...lines.slice(3)]);
});
