import { expect, test } from "vitest";
import type { Note } from "../../src/core/note.ts";
import { filterRows } from "../../viewer/table/filter-rows.ts";
import { putLabels } from "../../viewer/table/label-columns.ts";
import { RunStore } from "../../viewer/table/run-store.ts";

const said = (note: Partial<Note>): Note => ({
  ...{ at: "", by: "ada", verdict: null, tags: [], note: null },
  ...note,
});

const store = () =>
  new RunStore({
    count: 3,
    columns: [
      { name: "run", role: "id", kind: "text", words: ["a", "b", "c"], codes: [0, 1, 2] },
      { name: "note", role: "metric", kind: "number", unit: null, values: [1, 2, 3] },
    ],
  });

test("labels become columns that filters find, beside a metric of the same name, and outlive a row told again", () => {
  const runs = store();
  putLabels(runs, [
    said({ run: "b", verdict: "pass", tags: ["slow", "loop"] }),
    said({ run: "b", by: "bo", verdict: "fail", note: "stuck" }),
    said({ run: "c", turn: 2, note: "here" }),
    said({ run: "gone", verdict: "pass" }),
    said({ task: "t", verdict: "pass" }),
  ]);
  expect(runs.columns.map(({ name }) => name)).toEqual(["run", "verdict", "tags", "note_label", "note"]);
  expect(runs.columns.map((column) => column.text(1))).toEqual([
    "b",
    "fail / pass",
    "loop slow",
    "stuck",
    "2",
  ]);
  expect(runs.column("note_label")!.text(2)).toBe("turn 2: here");
  runs.put([{ run: "b", note: 5 }]);
  expect([...filterRows(runs, "tags~loop note=5").rows]).toEqual([1]);
});

test("labels that were all taken back take their columns along", () => {
  const runs = store();
  putLabels(runs, [said({ run: "a", verdict: "pass" })]);
  putLabels(runs, []);
  expect(runs.columns.map(({ name }) => name)).toEqual(["run", "note"]);
});
