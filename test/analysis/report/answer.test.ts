import { describe, expect, test } from "vitest";
import { answerOf } from "../../../src/analysis/report/answer.ts";
import { unitValues } from "../../../src/analysis/report/arm-values.ts";
import { layoutOf } from "../../../src/analysis/report/layout.ts";
import { aMatrix, product } from "../../support/a-matrix.ts";
import { aStudy, axis } from "../../support/a-study.ts";
import { anArm, anArmSet } from "../../support/an-arm-set.ts";

const metric = { name: "makespan_p95_ms", unit: "ms", goal: "minimize" as const };
const values = { fifo: [100, 100, 100, 100], dag: [99, 101, 100, 100], full: [69, 70, 68, 69] };

function ask(isDeclared: boolean) {
  const names = ["fifo", "dag", "full"] as const;
  const study = aStudy({
    axes: [axis("policy", ...names)],
    analysis: isDeclared ? { baseline: { policy: "fifo" } } : {},
  });
  const records = aMatrix(product({ policy: names }), [1, 2, 3, 4], ({ policy }, seed) => ({
    [metric.name]: values[policy as "fifo"][seed - 1]!,
  }));
  const layout = layoutOf(study, records);
  const set = anArmSet(
    names.map((name) => anArm(name, values[name])),
    { metric: metric.name, goal: "minimize" },
  );
  return answerOf({ metric, layout, isMetricDeclared: isDeclared, set, values: [] });
}

describe("the answer of a study", () => {
  // Differences -31 ± t(.975, 3) · sqrt(2/3) / 2 = -31 ± 3.18245 · 0.408248 = -31 ± 1.2992, in percent of 100.
  test("names the best arm, the size of the difference with its interval, the seeds and the pairing", () => {
    const answer = ask(true);
    expect(answer.sentence).toBe(
      "full beats fifo on makespan_p95_ms by 31.0 % [29.7, 32.3], 4 seeds, paired.",
    );
    expect(answer.status).toBe("planned");
    expect(answer.verdict).toBe("better");
    expect(answer.others).toHaveLength(1);
    expect(answer.others[0]).toMatch(/^dag and fifo can't be told apart/);
    expect(answer.method).toContain("95 % confidence interval (paired t");
    expect(answer.method).toContain("2 comparisons by Holm's method");
  });

  test("is exploratory where the file named neither metric nor baseline", () => {
    expect(ask(false).status).toBe("exploratory");
  });

  // Mean 2, sd 1, t(.975, 2) = 4.302653: 2 ± 4.302653 / sqrt(3) = 2 ± 2.48414.
  test("of one arm is its mean with the interval", () => {
    const records = aMatrix([{ params: {} }], [1, 2, 3], (_, seed) => ({ x: seed }));
    const layout = layoutOf(aStudy(), records);
    const one = { name: "x", unit: "s", goal: null };
    const answer = answerOf({
      ...{ metric: one, layout, isMetricDeclared: true, set: null },
      values: unitValues(records, layout, "x"),
    });
    expect(answer.sentence).toBe("x is 2.0 s [−0.5, 4.5] on average, 3 seeds.");
    expect(answer).toMatchObject({ status: "planned", verdict: "unknown" });
  });

  test("of one value says why nothing is known of its spread, and of none that it is unknown", () => {
    const records = aMatrix([{ params: {} }], [1], () => ({ x: 7 }));
    const layout = layoutOf(aStudy(), records);
    const ask = (name: string) =>
      answerOf({
        ...{ metric: { name, unit: null, goal: null }, layout, isMetricDeclared: false, set: null },
        values: unitValues(records, layout, name).filter((group) => group.values.length > 0),
      }).sentence;
    expect(ask("x")).toMatch(/^x is 7, 1 seed; no interval, because /);
    expect(ask("y")).toBe("y is unknown: no run has a value for it.");
  });
});
