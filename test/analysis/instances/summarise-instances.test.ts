import { describe, expect, test } from "vitest";
import { instanceRow } from "../../../src/analysis/instances/instance-table.ts";
import { summariseInstances } from "../../../src/analysis/instances/summarise-instances.ts";
import { failed } from "../../../src/core/run.ts";
import { answer } from "../../stats/answer.ts";
import { aRecord } from "../../support/a-study.ts";

const run = (task: string, solved: number, more: Record<string, number | null> = {}) =>
  aRecord({
    task,
    labels: { exit_status: "submitted" },
    metrics: { n_instances: 1, n_solved: solved, n_submitted: 1, n_empty_patches: 0, total_cost: 2, ...more },
  });

describe("the instances of an arm", () => {
  test("are summed up, averaged, and their rates have Wilson's interval", () => {
    const records = Array.from({ length: 10 }, (_, i) =>
      run(`t${i}`, Number(i < 5), { "exit/submitted": 1 }),
    );
    const summary = summariseInstances(records);
    expect(summary).toMatchObject({
      instances: 10,
      totals: { total_cost: 20 },
      averages: { avg_cost: 2 },
      exits: { submitted: 10 },
    });
    // Wilson for 5 of 10: (10 + z²) centre 0.5, half width z / (10 + z²) * sqrt(2.5 + z²/4), z = 1.959964.
    expect(summary.solveRate).toMatchObject({ known: true, estimate: 0.5 });
    if (summary.solveRate.known) {
      expect(summary.solveRate.low).toBeCloseTo(0.236593, 6);
      expect(summary.solveRate.high).toBeCloseTo(0.763407, 6);
    }
    expect(summary.submissionRate).toMatchObject({ estimate: 1 });
  });

  test("under several seeds count by their tasks: the same again is no new evidence", () => {
    const ends = (solved: number, seeds: number[]) => {
      const once = Array.from({ length: 10 }, (_, i) => run(`t${i}`, Number(i < solved)));
      const all = seeds.flatMap((seed) => once.map((record) => ({ ...record, seed })));
      const { low, high } = answer(summariseInstances(all).solveRate);
      return [low, high];
    };
    for (const solved of [0, 5, 10]) expect(ends(solved, [1, 2, 3])).toEqual(ends(solved, [1]));
  });

  test("of tasks that are solved under some seeds have the interval of the tasks' means", () => {
    const solved = [2, 2, 2, 2, 2, 1, 0, 0, 0, 0];
    const records = [1, 2].flatMap((seed) =>
      solved.map((count, i) => ({ ...run(`t${i}`, Number(seed <= count)), seed })),
    );
    const { low, high } = answer(summariseInstances(records).solveRate);
    // t(9) * sqrt(2.225 / 9 / 10), twice, around 0.55.
    expect([low, high]).toEqual([expect.closeTo(0.55 - 0.35568, 4), expect.closeTo(0.55 + 0.35568, 4)]);
  });

  test("that could not be measured are told apart, and an unknown cost makes the sum unknown", () => {
    const broken = aRecord({ task: "x", outcome: failed("infrastructure", "exit_api") });
    const summary = summariseInstances([run("a", 1, { total_cost: null }), broken]);
    expect(summary).toMatchObject({
      instances: 1,
      failed: { infrastructure: 1 },
      totals: { total_cost: null },
      averages: { avg_cost: null },
    });
    expect(instanceRow(broken)).toMatchObject({ instance_id: "x", solved: null, total_cost: null });
  });

  test("without a run say why they say nothing", () => {
    expect(summariseInstances([]).solveRate).toMatchObject({ known: false });
  });

  test("have a row each", () => {
    const record = { ...run("a", 0), labels: { exit_status: "submitted (exit_cost_calls)" } };
    expect(instanceRow(record)).toMatchObject({
      instance_id: "a",
      exit_category: "exit_cost",
      submitted: true,
      solved: false,
      total_cost: 2,
      n_turns: null,
    });
  });
});
