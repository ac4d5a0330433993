import { describe, expect, test } from "vitest";
import { findOut } from "../../src/analysis/findings.ts";
import { failed, type RunRecord } from "../../src/core/run.ts";
import { aRecord, aStudy, aStudyFile, axis } from "../support/a-study.ts";

const file = (part = {}) => aStudyFile({ study: aStudy({ axes: [axis("n", 1, 2)] }), total: 4, ...part });
const measured = (n: number, x: number | null, part: Partial<RunRecord> = {}) =>
  aRecord({ id: `n${n}-${x}`, seed: x ?? 0, params: { n, fixed: 0 }, metrics: { x }, ...part });

describe("findings", () => {
  test("have a mean and a spread for each cell, over seeds and repeats", () => {
    const { cells, counts, metric } = findOut(file(), [measured(1, 2), measured(1, 4), measured(2, 7)]);
    expect(cells.map(({ coordinates, runs, metrics }) => [coordinates.n, runs, metrics.x])).toEqual([
      [1, 2, { n: 2, missing: 0, counted: 0, mean: 3, sd: Math.SQRT2, min: 2, max: 4 }],
      [2, 1, { n: 1, missing: 0, counted: 0, mean: 7, sd: null, min: 7, max: 7 }],
    ]);
    expect(counts).toEqual({ total: 4, ok: 3, stopped: 0, failed: 0, cancelled: 0, missing: 1 });
    expect(metric).toBe("x");
  });

  test("take failed runs and unknown numbers for missing data, never for zero", () => {
    const broken = measured(1, 99, { outcome: failed("agent", "exit 1") });
    const { cells, failures, warnings } = findOut(file({ total: 3 }), [
      measured(1, 2),
      measured(1, null),
      broken,
    ]);
    expect(cells[0]).toMatchObject({ runs: 3, failed: 1, metrics: { x: { n: 1, missing: 1, mean: 2 } } });
    expect(failures).toMatchObject([{ owner: "agent", runs: [{ id: "n1-99", reason: "exit 1" }] }]);
    expect(warnings.map(({ text }) => text)).toContain(
      "1 of 3 runs failed (agent: 1): their metrics are missing data, not zeros.",
    );
    expect(findOut(file(), [measured(1, null)]).cells[0]!.metrics.x).toMatchObject({
      n: 0,
      mean: null,
      sd: null,
    });
  });

  test("say of what a run that failed by its own fault counts as the worst, where runs pass or fail", () => {
    const broken = measured(1, 99, { outcome: failed("agent", "exit 1") });
    const { warnings } = findOut(file({ total: 3 }), [measured(1, 0), measured(1, 1), broken]);
    expect(warnings.map(({ text }) => text)).toContain(
      "1 of 3 runs failed (agent: 1): those that failed by their own fault count as the worst value of x; everything else is missing data.",
    );
  });

  test.each<[string, Parameters<typeof aStudyFile>[0], RunRecord[], string]>([
    ["runs that are not done", {}, [measured(1, 1)], "3 of 4 planned runs have not been done yet."],
    ["few runs a cell", {}, [measured(1, 1)], "At most 1 run per cell"],
    [
      "uneven cells",
      {},
      [measured(1, 1), measured(1, 2), measured(2, 1)],
      "Cells have between 1 and 2 good runs each",
    ],
    ["uncommitted changes", { git: { dirty: true } }, [], "uncommitted changes"],
    [
      "a program that changed",
      {
        launches: ["p1", "p2"].map((program) => ({
          at: "",
          command: "",
          specHash: "",
          program,
          plan: program,
        })),
      },
      [],
      "The program changed between launches",
    ],
  ])("warn of %s", (_, part, records, warning) => {
    expect(
      findOut(file(part), records)
        .warnings.map(({ text }) => text)
        .join("\n"),
    ).toContain(warning);
  });

  test("warn of nothing when there is nothing to doubt", () => {
    const records = [1, 2].flatMap((n) => [1, 2, 3, 4, 5].map((seed) => measured(n, seed, { seed })));
    expect(findOut(file({ total: 10 }), records).warnings).toEqual([]);
  });

  test("have nothing to say of a study without runs", () => {
    expect(findOut(file(), [])).toMatchObject({ cells: [], metric: null, failures: [] });
  });
});
