import { describe, expect, test } from "vitest";
import { judgeOn } from "../../../src/analysis/labels/judge.ts";
import { type Drawn, judgedRuns } from "./judged-runs.ts";

const TRUTH = 0.6;

function coverage(studies: number, drawn: Drawn): number {
  let covered = 0;
  for (let seed = 0; seed < studies; seed++) {
    const { together } = judgeOn(judgedRuns(seed, drawn), { judge: "j", arms: ["a"] }).arms[0]!;
    if (together.known && together.low <= TRUTH && TRUTH <= together.high) covered++;
  }
  return covered / studies;
}

describe("a judge on all runs, and people on some", () => {
  test.each([0.05, 0.3, 0.5, 0.95])(
    "hold their level whatever the judge is like, also where tries share a task: wrong in %d of the cases",
    (errs) => {
      const studies = 600;
      // Four standard errors below .95.
      const least = 0.95 - 4 * Math.sqrt((0.95 * 0.05) / studies);
      expect(coverage(studies, { tasks: 400, labelled: 0.15, errs })).toBeGreaterThan(least);
      expect(coverage(studies, { tasks: 80, tries: 5, labelled: 0.2, errs })).toBeGreaterThan(least);
    },
  );
});
