import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readSeries, seriesNames } from "../../src/archive/read-series.ts";
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
  expect(readSeries(path, "loss", { keepNaN: true })).toEqual({
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
