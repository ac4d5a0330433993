import { expect, test } from "vitest";
import { suspectRuns } from "../../../src/analysis/compare/conclude.ts";

test("suspect runs are one warning, which says that they count as graded", () => {
  const run = (solved: number, suspect?: string) => ({
    metrics: { solved },
    labels: suspect === undefined ? { patch: "plain" } : { suspect },
  });
  expect(suspectRuns([run(1), run(0)])).toEqual([]);
  const [warning, ...more] = suspectRuns([run(1), run(1, "early exit, edited tests"), run(0, "early exit")]);
  expect(more).toEqual([]);
  expect(warning).toMatchObject({ kind: "suspect", level: "warn" });
  expect(warning!.text).toContain(
    "2 of 3 runs are suspect (early exit: 2; edited tests: 1), of which 1 count as solved.",
  );
});
